-- Where every coin of the marketplace is, in one snapshot: what balances say against what transfers say.
create or replace function books()
returns table (people bigint, escrow bigint, hold bigint, debts bigint, bonus bigint, bought bigint, swept bigint,
               paid_out bigint, transfers bigint) language sql stable as $$
  with held as (
    select coalesce(sum(balance) filter (where kind = 'person'), 0)::bigint as people,
           coalesce(sum(balance) filter (where kind = 'escrow'), 0)::bigint as escrow,
           coalesce(sum(balance) filter (where kind = 'hold'), 0)::bigint as hold,
           coalesce(sum(debt), 0)::bigint as debts
      from ledger_accounts
  ),
  moved as (
    select coalesce(sum(amount) filter (where debit = house_account()), 0) as bonus,
           coalesce(sum(amount) filter (where debit = card_clearing_account()), 0)
             - coalesce(sum(amount) filter (where credit = card_clearing_account()), 0) as bought,
           coalesce(sum(amount) filter (where credit = house_account()), 0) as swept,
           coalesce(sum(amount) filter (where credit = paid_out_account()), 0) as paid_out,
           count(*) as transfers
      from ledger_transfers
  )
  select people, escrow, hold, debts, bonus::bigint, bought::bigint, swept::bigint, paid_out::bigint, transfers
    from held, moved
$$;
