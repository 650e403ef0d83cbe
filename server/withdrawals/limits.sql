-- Returns the coins on a worker's account that cannot be withdrawn now (docs/specification/withdrawals.md#limits): the part, why,
-- and until when (null: not until a time). `holding`: earned within the holding time. `card`: bought with a card a short
-- time ago. Coins that both delay have the one that ends later. `pair`: earned from one buyer in 30 days beyond the limit, until
-- the account is verified. `sign_up`: starting coins without a purchase.
create or replace function unavailable_coins(p_worker uuid, p_holding interval, p_verified boolean)
returns table (cause text, coins bigint, until timestamptz) language plpgsql stable as $$
declare
  account bigint;
  pair_coins bigint := floor((operator_setting('payout_limits') ->> 'pairCents')::numeric
                             / (operator_setting('withdrawal_rate') ->> 'centsPerCoin')::numeric);
  month_ago timestamptz := clock_time() - interval '30 days';
begin
  select account_id into strict account from users where id = p_worker;
  return query
    select 'sign_up', locked, null::timestamptz from locked_starting_coins(account) as locked where locked > 0;
  if p_verified then
    pair_coins := null;
  end if;
  return query
    with earned as materialized (
      select * from earned_since(account, case when pair_coins is null then clock_time() - p_holding
                                               else least(clock_time() - p_holding, month_ago) end)
       where p_holding > interval '0' or pair_coins is not null
    ),
    held as (
      select transfer, earned.coins, earned_at + p_holding as until from earned where earned_at > clock_time() - p_holding
    ),
    resting as materialized (
      select credits.* from resting_credits(p_worker) as credits left join held on held.transfer = credits.transfer
       where held.until is null or credits.until > held.until
    ),
    holding as (
      select held.transfer, held.coins - coalesce(sum(resting.coins), 0)::bigint as coins, held.until
        from held left join resting on resting.transfer = held.transfer
       group by held.transfer, held.coins, held.until
    ),
    excess as (
      select greatest(0, sum(earned.coins) - pair_coins - sum(coalesce(delayed.coins, 0))) as coins
        from earned left join (
          select both_kinds.transfer, sum(both_kinds.coins) as coins from (
            select holding.transfer, holding.coins from holding
            union all select resting.transfer, resting.coins from resting) as both_kinds
           group by both_kinds.transfer) as delayed on delayed.transfer = earned.transfer
       where pair_coins is not null and earned.earned_at > month_ago
       group by earned.payer
    )
    select 'holding', holding.coins, holding.until from holding where holding.coins > 0
    union all
    select 'card', resting.coins, resting.until from resting
    union all
    select 'pair', sum(excess.coins)::bigint, null from excess having sum(excess.coins) > 0;
end $$;

-- Returns the cents that a worker can still request to accounts without a confirmed payout; null without a limit.
create or replace function first_payout_cents_left(p_worker uuid) returns bigint language sql stable as $$
  select case when left_over.cents is not null then greatest(0, left_over.cents) end
    from first_payout_balance(p_worker) as left_over (cents)
$$;

-- Returns the limit of a first payout less the pending requests to accounts without a confirmed payout: negative when they exceed it.
create or replace function first_payout_balance(p_worker uuid) returns bigint language sql stable as $$
  select most.cents - coalesce(requested.cents, 0)
    from (select (operator_setting('payout_limits') ->> 'firstPayoutCents')::bigint as cents) as most
    cross join lateral (
  select sum(amount_cents)::bigint as cents from withdrawals left join payout_destinations as destinations on destinations.id = destination_id
   where worker_id = p_worker and status = 'pending' and destinations.state is distinct from 'verified'
     and most.cents is not null
     and not was_paid_to(p_worker, withdrawals.payment_system, withdrawals.account_number)) as requested
$$;

-- Refuses a withdrawal request beyond the limits of payouts, and says what the lowest of them leaves. The caller has locked the
-- worker's account, so that concurrent requests are checked one after the other.
create or replace function check_payout_limits(
  p_worker uuid, p_spendable bigint, p_coins bigint, p_cents bigint, p_holding interval, p_verified boolean)
returns void language plpgsql as $$
declare
  possible bigint;
  later jsonb;
  first_payout bigint := case when p_verified then null else first_payout_cents_left(p_worker) / (p_cents / p_coins) end;
begin
  select greatest(0, p_spendable - coalesce(sum(parts.coins), 0)),
         jsonb_agg(jsonb_build_object('cause', parts.cause, 'coins', parts.coins, 'until', parts.until) order by parts.cause)
    into possible, later
    from (select cause, sum(coins)::bigint as coins, max(until) as until
            from unavailable_coins(p_worker, p_holding, p_verified) group by cause) as parts;
  if p_coins > first_payout and first_payout < possible then
    perform refuse('payout_limit.first_payout', jsonb_build_object('coins', first_payout,
      'limit', (operator_setting('payout_limits') ->> 'firstPayoutCents')::bigint));
  elsif p_coins > possible and not later @? '$[*] ? (@.cause != "holding")' then
    perform refuse('holding_time', jsonb_build_object('coins', possible));
  elsif p_coins > possible then
    perform refuse('payout_limit', jsonb_build_object('coins', possible, 'later', later));
  end if;
end $$;
