-- Returns where every coin of the marketplace is, computed from the transfers in one snapshot. `fresh` is the number of
-- transfers read for it.
create or replace function ledger_books()
returns table (user_coins bigint, escrow bigint, hold bigint, debts bigint, starting bigint, bought bigint, swept bigint,
               paid_out bigint, fresh bigint) language sql stable parallel safe as $$
  with moved as (
    select coalesce(sum(amount) filter (where kind = 'sign_up_bonus'), 0) as starting,
           coalesce(sum(amount) filter (where kind = 'coins_bought'), 0) as bought,
           coalesce(sum(amount) filter (where kind = 'card_reversed'), 0) as reversed,
           coalesce(sum(amount) filter (where kind = 'debt_paid'), 0) as debt_paid,
           coalesce(sum(amount) filter (where kind in (
             'task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded')), 0) as funded,
           coalesce(sum(amount) filter (where kind = 'task_fee'), 0) as fees,
           coalesce(sum(amount) filter (where kind = 'submission_paid'), 0) as paid,
           coalesce(sum(amount) filter (where kind in ('slot_refunded', 'task_refunded')), 0) as refunded,
           coalesce(sum(amount) filter (where kind = 'withdrawal_held'), 0) as held,
           coalesce(sum(amount) filter (where kind = 'withdrawal_paid'), 0) as paid_out,
           coalesce(sum(amount) filter (where kind = 'withdrawal_released'), 0) as released,
           coalesce(sum(amount) filter (where kind = 'swept_to_platform'), 0) as swept,
           coalesce(sum(totals.fresh), 0)::bigint as fresh
      from current_transfer_totals() as totals
  )
  select (starting + bought - reversed - debt_paid - funded - fees + paid + refunded - held + released - swept)::bigint,
         (funded - paid - refunded)::bigint,
         (held - paid_out - released)::bigint,
         (select coalesce(sum(amount), 0) from ledger_debts)::bigint - debt_paid::bigint,
         starting::bigint,
         (bought - reversed - debt_paid)::bigint,
         (swept + fees)::bigint,
         paid_out::bigint,
         fresh
    from moved
$$;

-- Returns by how much the balances of all accounts differ from their transfers; 0 when the books balance.
create or replace function books_difference()
returns table (difference bigint, accounts bigint) language sql stable parallel safe as $$
  select abs(balances.user_coins - books.user_coins) + abs(balances.escrow - books.escrow) + abs(balances.hold - books.hold), balances.accounts
    from ledger_books() as books, (
      select coalesce(sum(balance) filter (where kind = 'user'), 0)::bigint as user_coins,
             coalesce(sum(balance) filter (where kind = 'escrow'), 0)::bigint as escrow,
             coalesce(sum(balance) filter (where kind = 'hold'), 0)::bigint as hold,
             count(*) as accounts
        from ledger_accounts
    ) as balances
$$;
