-- Coins bought by card rest until the dispute risk of the payment has passed (docs/specification/withdrawals.md#card-coins).
-- Resting coins can be spent on tasks; the workers who earn them cannot withdraw them before the rest is over. Coins leave
-- a balance in the order in which they came, so that a buyer's earlier coins pay first and only the coins of the young
-- purchase are delayed.

-- The card purchases of a user that rest now, by the transfer that credited them.
create or replace function resting_purchases(p_user uuid, p_rules jsonb, p_longest interval)
returns table (transfer bigint, coins bigint, until timestamptz) language sql stable as $$
  select bought.id, bought.amount, rest.until
    from payments join users on users.id = payments.user_id
    join ledger_transfers as bought on bought.kind = 'coins_bought' and bought.ref = payments.id
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
-- purchases has several rows. Coins that were earned before they are spent on are followed through `p_depth` more users.
create or replace function resting_credits(p_user uuid, p_depth int default 2)
returns table (transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  rules jsonb := operator_setting('card_coins_rest');
  longest interval := make_interval(days => greatest((rules ->> 'restDays')::int, (rules ->> 'trustedRestDays')::int));
  account bigint;
  payer uuid;
begin
  if longest = interval '0' then
    return;
  end if;
  return query select * from resting_purchases(p_user, rules, longest);
  if p_depth = 0 then
    return;
  end if;
  select account_id into strict account from users where id = p_user;
  for payer in select distinct earned.payer from earned_since(account, clock_time() - longest) as earned loop
    return query select * from resting_payments(payer, account, p_depth - 1);
  end loop;
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

-- The payments of a payer to an account that hold resting coins. What the payer received and what they paid are laid on one
-- line each, which both end now: received coins at 0, paid coins at minus what the payer still has, in escrows too. A payment
-- holds the resting coins that it covers. Coins that move between the payer and their own escrows and holds do not count.
create or replace function resting_payments(p_payer uuid, p_account bigint, p_depth int)
returns table (transfer bigint, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  ids bigint[];
  parts bigint[];
  ends timestamptz[];
  payer_account bigint;
  still_there bigint;
begin
  select array_agg(resting.transfer), array_agg(resting.coins), array_agg(resting.until) into ids, parts, ends
    from resting_credits(p_payer, p_depth) as resting;
  if ids is null then
    return;
  end if;
  select account_id, accounts.balance + (
      select coalesce(sum(escrows.balance), 0) from tasks join ledger_accounts as escrows on escrows.id = tasks.escrow_id
       where tasks.buyer_id = p_payer)
    into strict payer_account, still_there
    from users join ledger_accounts as accounts on accounts.id = users.account_id where users.id = p_payer;

  return query
    with first as (select min(id) as id from unnest(ids) as id),
    resting as (
      select given.id, part, ended, coalesce(sum(part) over (
               partition by given.id order by ended desc, part rows between unbounded preceding and 1 preceding), 0) as before
        from unnest(ids, parts, ends) as given (id, part, ended)
    ),
    received as (
      select id, -sum(amount) over (order by id desc) as start from ledger_transfers
       where credit = payer_account and id >= (select id from first)
         and kind::text not in ('task_refunded', 'slot_refunded', 'withdrawal_released')
    ),
    outgoing as (
      select id, amount, credit from ledger_transfers
       where debit = payer_account and id > (select id from first)
         and kind::text not in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded')
         and not (kind = 'withdrawal_held'
                  and exists (select from withdrawals where withdrawals.id = ref and status in ('declined', 'cancelled')))
      union all
      select paid.id, paid.amount, paid.credit
        from tasks join ledger_transfers as paid on paid.debit = tasks.escrow_id and paid.id > (select id from first)
       where tasks.buyer_id = p_payer and paid.kind = 'submission_paid'
    ),
    paid as (
      select id, amount, credit, -still_there - sum(amount) over (order by id desc) as start from outgoing
    )
    select paid.id, covered.coins::bigint, resting.ended
      from paid cross join resting join received on received.id = resting.id
      cross join lateral (
        select least(paid.start + paid.amount, received.start + before + part)
               - greatest(paid.start, received.start + before) as coins) as covered
     where paid.credit = p_account and covered.coins > 0;
end $$;
