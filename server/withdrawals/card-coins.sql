-- Coins bought by card rest until the dispute risk of the payment has passed (docs/specification/withdrawals.md#card-coins).
-- Resting coins can be spent on tasks; the workers who earn them cannot withdraw them before the rest is over. Coins leave
-- a balance in the order in which they came, so that a buyer's earlier coins pay first and only the coins of the young
-- purchase are delayed.

-- The card purchases of a user that rest now, by the transfer that credited them.
create or replace function resting_purchases(p_user uuid, p_rules jsonb, p_longest interval)
returns table (transfer bigint, coins bigint, until timestamptz) language sql stable as $$
  select bought.id, bought.amount, rest.until
    from payments join users on users.id = payments.user_id
    join transfer_keys as keys on keys.kind = 'coins_bought' and keys.ref = payments.id
    join ledger_transfers as bought on bought.id = keys.transfer_id
    cross join lateral (
      select payments.paid_at + make_interval(days => case
        when payments.paid_at - users.created_at >= make_interval(days => (p_rules ->> 'trustedPersonDays')::int)
             and payments.card_fingerprint <> ''
             and exists (select from payments as earlier
                          where earlier.card_fingerprint = payments.card_fingerprint and earlier.reversed_cents = 0
                            and earlier.paid_at <= payments.paid_at - make_interval(days => (p_rules ->> 'trustedCardDays')::int))
        then (p_rules ->> 'trustedRestDays')::int else (p_rules ->> 'restDays')::int end) as until) as rest
   where payments.user_id = p_user and payments.paid_at > clock_time() - p_longest and rest.until > clock_time()
$$;

-- The credits of a user's account that hold resting coins: how many, and until when. A credit that comes from several
-- purchases has several rows. Coins that were earned before they are spent on are followed through two users: those who paid
-- this user, and those who paid them. All users of a step are read by one statement, so that the time grows with the transfers.
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
  payers uuid[];
  -- Who paid the payers, and to which of them.
  earlier_payers uuid[];
  earlier_payees uuid[];
  credits resting_credit[];
  passed resting_credit[];
begin
  if longest = interval '0' then
    return;
  end if;
  select account_id into strict own_account from users where id = p_user;
  select coalesce(array_agg(distinct earned.payer), '{}') into payers from earned_since(own_account, since) as earned;
  select array_agg(payer), array_agg(payee) into earlier_payers, earlier_payees
    from (select distinct earned.payer, users.id as payee
            from unnest(payers) as given (id) join users using (id) cross join lateral earned_since(users.account_id, since) as earned) as edges;
  select array_agg((given.id, bought.transfer, bought.coins, bought.until)::resting_credit) into credits
    from (select p_user as id union select unnest(payers) union select unnest(earlier_payers)) as given
    cross join lateral resting_purchases(given.id, rules, longest) as bought;
  if credits is null then
    return;
  end if;
  select array_agg((payment.payee, payment.transfer, payment.coins, payment.until)::resting_credit) into passed
    from resting_payments(earlier_payers, earlier_payees, credits) as payment;
  return query
    select credit.transfer, credit.coins, credit.until from unnest(credits) as credit where credit.user_id = p_user
    union all
    select payment.transfer, payment.coins, payment.until
      from resting_payments(payers, array_fill(p_user, array[cardinality(payers)]), credits || passed) as payment;
end $$;

-- What an account earned after a time, with who paid it.
create or replace function earned_since(p_account bigint, p_since timestamptz)
returns table (transfer bigint, coins bigint, earned_at timestamptz, payer uuid) language sql stable as $$
  select paid.id, paid.amount, paid.created_at, coalesce(submissions.buyer_id, bonuses.buyer_id)
    from ledger_transfers as paid
    left join submissions on paid.kind = 'submission_paid' and submissions.id = paid.ref
    left join bonuses on paid.kind = 'bonus_paid' and bonuses.id = paid.ref
   where paid.credit = p_account and paid.kind in ('submission_paid', 'bonus_paid')
     and paid.id > (select coalesce(max(id), 0) from ledger_transfers where credit = p_account and created_at <= p_since)
$$;

-- The payments of payers to payees (both by position) that hold resting coins of `p_credits`. What a payer received and what
-- they paid are laid on one line each, which both end now: received coins at 0, paid coins at minus what the payer still has, in
-- escrows too. A payment holds the resting coins that it covers. Coins that move between the payer and their own escrows and holds do
-- not count.
create or replace function resting_payments(p_payers uuid[], p_payees uuid[], p_credits resting_credit[])
returns table (payee uuid, transfer bigint, coins bigint, until timestamptz) language sql stable as $$
  with resting as materialized (
    select user_id as payer, transfer as id, coins as part, until as ended, coalesce(sum(coins) over (
             partition by user_id, transfer order by until desc, coins rows between unbounded preceding and 1 preceding), 0) as before
      from unnest(p_credits) where user_id in (select unnest(p_payers))
  ),
  payers as materialized (
    select users.id, users.account_id, firsts.first, accounts.balance + (
             select coalesce(sum(escrows.balance), 0) from tasks join ledger_accounts as escrows on escrows.id = tasks.escrow_id
              where tasks.buyer_id = users.id) as still_there
      from (select payer, min(id) as first from resting group by payer) as firsts
      join users on users.id = firsts.payer join ledger_accounts as accounts on accounts.id = users.account_id
  ),
  received as materialized (
    select payers.id as payer, credited.id, -sum(credited.amount) over (partition by payers.id order by credited.id desc) as start
      from payers join ledger_transfers as credited on credited.credit = payers.account_id and credited.id >= payers.first
     where credited.kind::text not in ('task_refunded', 'slot_refunded', 'withdrawal_released')
  ),
  outgoing as (
    select payers.id as payer, payers.still_there, debited.id, debited.amount, debited.credit
      from payers join ledger_transfers as debited on debited.debit = payers.account_id and debited.id > payers.first
     where debited.kind::text not in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded')
       and not (debited.kind = 'withdrawal_held'
                and exists (select from withdrawals where withdrawals.id = debited.ref and status in ('declined', 'cancelled')))
    union all
    select payers.id, payers.still_there, paid.id, paid.amount, paid.credit
      from payers join tasks on tasks.buyer_id = payers.id
      join ledger_transfers as paid on paid.debit = tasks.escrow_id and paid.id > payers.first
     where paid.kind = 'submission_paid'
  ),
  paid as materialized (
    select payer, id, amount, credit, -still_there - sum(amount) over (partition by payer order by id desc) as start
      from outgoing
  )
  select payees.id, paid.id, covered.coins::bigint, resting.ended
    from unnest(p_payers, p_payees) as edges (payer, payee)
    join users as payees on payees.id = edges.payee
    join paid on paid.payer = edges.payer and paid.credit = payees.account_id
    join resting on resting.payer = paid.payer
    join received on received.payer = paid.payer and received.id = resting.id
    cross join lateral (
      select least(paid.start + paid.amount, received.start + before + part)
             - greatest(paid.start, received.start + before) as coins) as covered
   where covered.coins > 0
$$;
