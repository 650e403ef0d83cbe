-- Coins bought by card rest until the dispute risk of the payment has passed (docs/specification/withdrawals.md#card-coins).
-- Resting coins can be spent on tasks; the workers who earn them cannot withdraw them before the rest is over. Coins leave
-- a balance in the order in which they came, so that a buyer's earlier coins pay first and only the coins of the young
-- purchase are delayed.

-- Returns the card purchases of a user that rest now, and those of which coins were taken back, by the transfer that credited them.
-- A purchase counts without the coins that were taken back, as if they had never been bought. Those that are owed were spent
-- before and still count: the debt of an account is that of the purchases which left one, of those that rest longest first.
create or replace function resting_purchases(p_user uuid, p_rules jsonb, p_longest interval)
returns table (transfer bigint, coins bigint, until timestamptz) language sql stable as $$
  select bought.id, bought.coins + greatest(0, least(bought.owed, bought.debt - coalesce(sum(bought.owed) over (
           order by bought.until desc, bought.id rows between unbounded preceding and 1 preceding), 0)))::bigint, bought.until
    from (
      select keys.transfer_id as id, payments.coins - payments.reversed_coins as coins, rest.until, accounts.debt,
             case when accounts.debt = 0 then 0 else least(payments.reversed_coins, (
               select coalesce(sum(debts.amount), 0) from payment_reversals as reversals join ledger_debts as debts on debts.ref = reversals.id
                where reversals.payment_id = payments.id)) end as owed
        from payments join users on users.id = payments.user_id
        join ledger_accounts as accounts on accounts.id = users.account_id
        join transfer_keys as keys on keys.kind = 'coins_bought' and keys.ref = payments.id
        cross join lateral (
          select payments.paid_at + make_interval(days => case
            when payments.paid_at - users.created_at >= make_interval(days => (p_rules ->> 'trustedPersonDays')::int)
                 and payments.card_fingerprint <> ''
                 and exists (select from payments as earlier
                              where earlier.card_fingerprint = payments.card_fingerprint and earlier.reversed_cents = 0
                                and earlier.paid_at <= payments.paid_at - make_interval(days => (p_rules ->> 'trustedCardDays')::int))
            then (p_rules ->> 'trustedRestDays')::int else (p_rules ->> 'restDays')::int end) as until) as rest
       where payments.user_id = p_user and payments.paid_at > clock_time() - p_longest
         and (rest.until > clock_time() or payments.reversed_coins > 0)) as bought
$$;

-- Returns the credits of a user's account that hold resting coins: how many, and until when. A credit that comes from several
-- purchases has several rows. Coins that workers earn and spend again are followed through two users: those who paid this user, and
-- those who paid them. The rows read grow with the payments of these users within the longest rest, and with the transfers of those
-- among them whose coins rest; without a recent purchase nothing is read.
create or replace function resting_credits(p_user uuid)
returns table (transfer bigint, coins bigint, until timestamptz) language plpgsql stable
-- A plan made for the given arrays expects one row per payer and scans the payments once for each: 3.2 s instead of 0.12 s for
-- 2,000 payers.
set plan_cache_mode = 'force_generic_plan' as $$
declare
  rules jsonb := operator_setting('card_coins_rest');
  longest interval := make_interval(days => greatest((rules ->> 'restDays')::int, (rules ->> 'trustedRestDays')::int));
  since timestamptz := clock_time() - longest;
  own_account bigint;
  -- Who paid the user, and the last transfer of each.
  payers uuid[];
  lasts bigint[];
  -- Who paid the payers, to which of their accounts, and the last transfer between the two.
  earlier_payers uuid[];
  earlier_payees bigint[];
  earlier_lasts bigint[];
  credits resting_credit[];
  passed resting_credit[];
begin
  if longest = interval '0' or not exists (select from payments where paid_at > since) then
    return;
  end if;
  select account_id into strict own_account from users where id = p_user;
  select array_agg(paid.payer), array_agg(paid.last) into payers, lasts
    from (select earned.payer, max(earned.transfer) as last from earned_since(own_account, since) as earned group by earned.payer) as paid;
  select array_agg(paid.payer), array_agg(paid.account_id), array_agg(paid.last) into earlier_payers, earlier_payees, earlier_lasts
    from (select earned.payer, users.account_id, max(earned.transfer) as last
            from unnest(payers) as given (id) join users using (id) cross join lateral earned_since(users.account_id, since) as earned
           group by earned.payer, users.account_id) as paid;
  select array_agg((given.id, bought.transfer, bought.coins, bought.until)::resting_credit) into credits
    from (select p_user as id union select unnest(payers) union select unnest(earlier_payers)) as given
    cross join lateral resting_purchases(given.id, rules, longest) as bought;
  if credits is null then
    return;
  end if;
  select array_agg((payees.id, payment.transfer, payment.coins, payment.until)::resting_credit) into passed
    from resting_payments(earlier_payers, earlier_payees, earlier_lasts, credits) as payment
    join users as payees on payees.account_id = payment.payee;
  return query
    select * from unspent_purchases(p_user, (select array_agg(credit) from unnest(credits) as credit where credit.user_id = p_user))
    union all
    select payment.transfer, payment.coins, payment.until
      from resting_payments(payers, array_fill(own_account, array[coalesce(cardinality(payers), 0)]), lasts, credits || passed) as payment;
end $$;

-- Returns the resting coins of `p_credits`, a user's own purchases, that the user has not spent: what the user still has, in escrows
-- too, came last. Coins withdrawn since the first purchase count as not spent. They were others, because resting coins cannot be
-- withdrawn; if they counted as spent, they would free as many resting ones.
create or replace function unspent_purchases(p_user uuid, p_credits resting_credit[])
returns table (transfer bigint, coins bigint, until timestamptz) language sql stable as $$
  select purchase.transfer, least(purchase.coins, received.start + purchase.coins + kept.coins)::bigint, purchase.until
    from users join ledger_accounts as accounts on accounts.id = users.account_id
    cross join lateral received_coins(accounts.id, p_credits) as received
    join unnest(p_credits) as purchase on purchase.transfer = received.id
    cross join lateral (
      select accounts.balance
             + (select coalesce(sum(escrows.balance), 0) from tasks join ledger_accounts as escrows on escrows.id = tasks.escrow_id
                 where tasks.buyer_id = p_user)
             + (select coalesce(sum(withdrawals.coins), 0)
                  from withdrawals join transfer_keys as held on held.kind = 'withdrawal_held' and held.ref = withdrawals.id
                 where worker_id = p_user and held.transfer_id > (select min(credit.transfer) from unnest(p_credits) as credit)
                   and status in ('pending', 'approved')) as coins) as kept
   where users.id = p_user and received.start + purchase.coins + kept.coins > 0 and purchase.coins > 0 and purchase.until > clock_time()
$$;

-- Returns what an account received since the first of `p_credits`, its purchases with the coins that count, and where the coins of each
-- begin on a line of cumulative coins that ends at 0. Coins that come back from the user's own escrows and holds do not count, and
-- neither do those that the card provider returned.
create or replace function received_coins(p_account bigint, p_credits resting_credit[])
returns table (id bigint, start numeric) language sql stable as $$
  select credited.id, -sum(coalesce(purchase.coins, credited.amount)) over (order by credited.id desc)
    from ledger_transfers as credited left join unnest(p_credits) as purchase on credited.kind = 'coins_bought' and purchase.transfer = credited.id
   where credited.credit = p_account and credited.id >= (select min(transfer) from unnest(p_credits)) and not returns_coins(credited.kind)
     and not (credited.kind = 'coins_bought' and credited.ref <> card_payment_of(credited.ref))
$$;

-- Returns the transfers that paid an account for work and bonuses after a time, each with its payer.
create or replace function earned_since(p_account bigint, p_since timestamptz)
returns table (transfer bigint, coins bigint, earned_at timestamptz, payer uuid) language sql stable as $$
  select paid.id, paid.amount, paid.created_at, coalesce(submissions.buyer_id, bonuses.buyer_id)
    from ledger_transfers as paid
    left join submissions on paid.kind = 'submission_paid' and submissions.id = paid.ref
    left join bonuses on paid.kind = 'bonus_paid' and bonuses.id = paid.ref
   where paid.credit = p_account and paid.kind in ('submission_paid', 'bonus_paid')
     and paid.id > (select coalesce(max(id), 0) from ledger_transfers where credit = p_account and created_at <= p_since)
$$;

-- Returns the payments of payers to accounts (both by position, with the last transfer between the two) that hold resting coins of
-- `p_credits`. Payers whose last payment was before their resting coins were credited are skipped.
create or replace function resting_payments(p_payers uuid[], p_payees bigint[], p_lasts bigint[], p_credits resting_credit[])
returns table (payee bigint, transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  flow record;
begin
  -- One sort brings credits and payments of a payer together. PostgreSQL takes arrays for short and would compare each with each.
  for flow in
    select parts.payer, array_agg(parts.credit) filter (where parts.credit is not null) as credits,
           array_agg(parts.payee) filter (where parts.payee is not null) as payees
      from (select (credit).user_id as payer, credit, null::bigint as payee, null::bigint as last from unnest(p_credits) as credit
            union all
            select given.payer, null, given.payee, given.last from unnest(p_payers, p_payees, p_lasts) as given (payer, payee, last)) as parts
     group by parts.payer having max(parts.last) > min((parts.credit).transfer)
  loop
    return query select * from resting_payments_of(flow.payer, flow.payees, flow.credits);
  end loop;
end $$;

-- Returns the payments of one payer to accounts that hold resting coins of `p_credits`, which are this payer's. Matches payments
-- with receipts first-in first-out: both are consecutive intervals of cumulative coins. Those of the receipts end at 0, those of the
-- payments at minus the payer's current balance, escrows included. A payment holds the resting coins whose intervals it overlaps.
-- Coins that move between the payer and their own escrows and holds do not count, and neither do those that the card provider took
-- back or returned: the credits are without them. Reads the payer's tasks and their transfers since the first of the credits.
create or replace function resting_payments_of(p_payer uuid, p_payees bigint[], p_credits resting_credit[])
returns table (payee bigint, transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  account bigint;
  -- What the payer has outside escrows.
  balance bigint;
  first bigint := (select min(credit.transfer) from unnest(p_credits) as credit);
begin
  select accounts.id, accounts.balance into strict account, balance
    from users join ledger_accounts as accounts on accounts.id = users.account_id where users.id = p_payer;
  return query
    with escrows as materialized (
      select accounts.id, accounts.balance from tasks join ledger_accounts as accounts on accounts.id = tasks.escrow_id
       where tasks.buyer_id = p_payer
    ),
    resting as materialized (
      select credit.transfer as id, credit.coins as part, credit.until as ended, coalesce(sum(credit.coins) over (
               partition by credit.transfer order by credit.until desc, credit.coins rows between unbounded preceding and 1 preceding), 0) as before
        from unnest(p_credits) as credit
    ),
    received as materialized (
      select received_coins.id, start from received_coins(account, p_credits)
    ),
    outgoing as (
      select debited.id, debited.amount, debited.credit from ledger_transfers as debited
       where debited.debit = account and debited.id > first
         and debited.kind::text not in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded',
                                          'card_reversed', 'debt_paid')
         and not (debited.kind = 'withdrawal_held'
                  and exists (select from withdrawals where withdrawals.id = debited.ref and status in ('declined', 'cancelled')))
      union all
      -- The offset keeps the two conditions together, so that the index finds the transfers since `first` and no others.
      select paid.id, paid.amount, paid.credit
        from escrows cross join lateral (
          select moved.id, moved.amount, moved.credit from ledger_transfers as moved
           where moved.debit = escrows.id and moved.id > first and moved.kind = 'submission_paid' offset 0) as paid
    ),
    paid as materialized (
      select outgoing.*, -balance - (select coalesce(sum(escrows.balance), 0) from escrows) - sum(amount) over (order by id desc) as start
        from outgoing
    )
    select paid.credit, paid.id, covered.coins::bigint, resting.ended
      from paid cross join resting join received on received.id = resting.id
      cross join lateral (
        select least(paid.start + paid.amount, received.start + before + part)
               - greatest(paid.start, received.start + before) as coins) as covered
     where paid.credit = any (p_payees) and covered.coins > 0 and resting.ended > clock_time();
end $$;
