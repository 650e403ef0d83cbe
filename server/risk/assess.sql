-- Returns a share's points: none up to `p_from`, all of them from `p_to` on.
create or replace function risk_points(p_points numeric, p_share numeric, p_from numeric, p_to numeric)
returns numeric language sql immutable as $$
  select p_points * least(greatest((coalesce(p_share, 0) - p_from) / (p_to - p_from), 0), 1)
$$;

-- Returns a share between 0 and 1 in percent.
create or replace function risk_percent(p_share numeric) returns int language sql immutable as $$
  select least(greatest(round(100 * coalesce(p_share, 0)), 0), 100)::int
$$;

-- Returns users as reasons name them, the first five of them.
create or replace function risk_users(p_users uuid[]) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('_id', id, 'name', name, 'email', email) order by position), '[]')
    from (select users.*, position from unnest(p_users) with ordinality as given (user_id, position)
            join users on users.id = given.user_id order by position limit 5) as named
$$;

-- Returns how much a shared network says, from 0 to 1: little where many users have it. `p_users` of `p_market` users have
-- it.
create or replace function network_rarity(p_users bigint, p_market bigint) returns numeric language sql immutable as $$
  select case when p_users < 2 or p_market <= p_users then 0
              else least(ln(p_market::numeric / p_users) / ln(greatest(p_market, 3)::numeric / 2), 1) * least(3.0 / (p_users - 1), 1) end
$$;

-- Returns the other users who asked for payouts to a request's destination, or keep it as theirs: at most 100.
create or replace function users_with_destination(p_request withdrawals) returns uuid[] language sql stable as $$
  select coalesce(array_agg(distinct user_id), '{}') from (
    (select distinct worker_id as user_id from withdrawals
      where account_keys(payment_system, account_number) && account_keys(p_request.payment_system, p_request.account_number)
        and worker_id <> p_request.worker_id limit 100)
    union all
    (select distinct user_id from payout_destinations
      where account_keys(payment_system, account_number) && account_keys(p_request.payment_system, p_request.account_number)
        and user_id <> p_request.worker_id limit 100)) as others
$$;

-- Assesses a withdrawal request (docs/specification/risk.md#score): stores its score, its reasons and facts, and returns
-- the score. Everything it reads is bounded, so that it costs the same in a large marketplace.
create or replace function assess_risk(p_withdrawal uuid) returns int language plpgsql
-- The reasons are one large query. A plan made for given payers is no better, and would be made at every call: 30 ms each.
set plan_cache_mode = 'force_generic_plan' as $$
declare
  request withdrawals;
  payers coin_payer[];
  linked uuid[];
  total numeric;
  found_reasons jsonb;
  sum_of_points numeric;
  network_points numeric;
  result int;
begin
  select * into strict request from withdrawals where id = p_withdrawal;
  select array_agg(unspent) into payers from unspent_payers(p_withdrawal) as unspent;
  linked := users_with_destination(request);
  select request.coins + balance into strict total from ledger_accounts
   where id = (select account_id from users where id = request.worker_id);

  select jsonb_agg(jsonb_build_object('kind', kind, 'points', round(points), 'params', params) order by points desc, kind),
         coalesce(sum(points) filter (where kind <> 'shared_network'), 0),
         coalesce(sum(points) filter (where kind = 'shared_network'), 0)
    into found_reasons, sum_of_points, network_points
    from (
      -- Subtracts `closed_circle` and `few_workers`, so that the same workers do not count twice.
      select kind, params, case kind when 'exclusive_tasks'
                           then greatest(points - coalesce(sum(points) filter (where kind in ('closed_circle', 'few_workers')) over (), 0), 0)
                           else points end as points from (
      select * from circle_reasons(request.worker_id, linked, payers, total)
      union all select * from group_reasons(request.worker_id, payers, total)
      union all select * from source_reasons(request.worker_id, payers, total)
      union all select * from card_reasons(request.worker_id, linked, payers, total)
      union all select * from link_reasons(request.worker_id, linked, payers)
      union all select * from holder_reason(request, linked)
      union all select * from reward_reason(p_withdrawal)
      union all select * from age_reason(request.worker_id, payers, total)
      union all select * from network_reason(request.worker_id, payers)) as found
    ) as reasons where points >= 0.5;

  -- Users share networks for many reasons: a network alone counts for nothing, and beside others at most half as much.
  result := least(round(sum_of_points + least(network_points, sum_of_points / 2)), 100);
  insert into risk_assessments as stored (withdrawal_id, score, reasons, facts)
  values (p_withdrawal, result, coalesce(found_reasons, '[]'), risk_facts(request, linked, payers, total))
  on conflict (withdrawal_id) do update
     set score = excluded.score, reasons = excluded.reasons, facts = excluded.facts, assessed_at = excluded.assessed_at;
  return result;
end $$;

-- Finds buyers whose pay goes mostly to this worker, or to them and others with the same destination. What is usual follows
-- from the number of workers who are active, from the share of these in the work of other buyers, and for a group from its size:
-- a family may be much of a small town.
create or replace function circle_reasons(p_worker uuid, p_linked uuid[], p_payers coin_payer[], p_total numeric)
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with linked as materialized (select unnest(p_linked) as user_id),
  recent as materialized (
    select buyer_id, worker_id from submissions order by id desc limit 2000
  ),
  by_buyer as materialized (
    select buyer_id, count(*) as submissions, count(*) filter (where worker_id = p_worker) as own,
           count(*) filter (where worker_id = p_worker or worker_id in (select user_id from linked)) as grouped
      from recent group by buyer_id
  ),
  market as materialized (
    select (select count(distinct worker_id) from recent) as workers, sum(submissions) as submissions, sum(own) as own, sum(grouped) as grouped
      from by_buyer
  ),
  payers as (
    select payers.user_id, sum(payers.coins) / p_total as share
      from unnest(p_payers) as payers where hop = 1 group by payers.user_id
  ),
  -- The share of the worker, and of linked users with them, in the recent work of other buyers.
  elsewhere as materialized (
    select payers.user_id, payers.share, market.workers,
           coalesce((market.own - coalesce(by_buyer.own, 0)) / others.submissions, 0) as own,
           coalesce((market.grouped - coalesce(by_buyer.grouped, 0)) / others.submissions, 0) as grouped
      from payers cross join market left join by_buyer on by_buyer.buyer_id = payers.user_id
      cross join lateral (select nullif(market.submissions - coalesce(by_buyer.submissions, 0), 0) as submissions) as others
  ),
  dependence as (
    select user_id, share,
           greatest(0.2, least(2.0 / workers, 0.6), least(1.5 * elsewhere.own, 0.8)) as usual,
           greatest(least(0.2 * (1 + cardinality(p_linked)), 0.6), least(2.0 * (1 + cardinality(p_linked)) / workers, 0.7),
                    least(1.5 * elsewhere.grouped, 0.8)) as usual_grouped,
           greatest(0.6, least(6.0 / workers, 0.8)) as usual_of_three,
           paid.own, paid.grouped, case when paid.own >= paid.third then paid.three else 0 end as three
      from elsewhere
      -- Adds 60 coins (smoothing), so that one small payment shows no dependence.
      cross join lateral (
        select coalesce(sum(coins) filter (where worker_id = p_worker), 0) / (sum(coins) + 60) as own,
               coalesce(sum(coins) filter (where worker_id = p_worker or worker_id in (select linked.user_id from linked)), 0) / (sum(coins) + 60) as grouped,
               sum(coins) filter (where position <= 3) / (sum(coins) + 60) as three,
               min(coins) filter (where position <= 3) / (sum(coins) + 60) as third
          from (select *, row_number() over (order by coins desc) as position from payments_by_worker(user_id)) as ranked) as paid
  ),
  weighed as (
    select user_id, share, least(greatest((own - usual) / 0.4, (grouped - usual_grouped) / 0.4, 0), 1) as on_one,
           least(greatest((three - usual_of_three) / 0.3, 0), 1) as on_three
      from dependence
  ),
  closed as (
    select sum(share * on_one) as one, array_agg(user_id order by share * on_one desc) filter (where on_one > 0.2) as buyers_of_one,
           sum(share * on_three) as three, array_agg(user_id order by share * on_three desc) filter (where on_three > 0.2) as buyers_of_three
      from weighed
  )
  select 'closed_circle', risk_points(60, one, 0.15, 0.5),
         jsonb_build_object('percent', risk_percent(one), 'users', risk_users(buyers_of_one)) from closed
  union all
  select 'few_workers', greatest(risk_points(40, three, 0.15, 0.5) - risk_points(60, one, 0.15, 0.5), 0),
         jsonb_build_object('percent', risk_percent(three), 'users', risk_users(buyers_of_three)) from closed
$$;

-- Finds what the coins began as: starting coins, purchases of the worker's own, or work of users who became buyers.
create or replace function source_reasons(p_worker uuid, p_payers coin_payer[], p_total numeric)
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with parts as (
    select sum(starting) / p_total as starting, sum(bought) filter (where hop = 0) / p_total as own,
           (sum(coins) filter (where hop = 2)) / p_total as forwarded,
           array_agg(user_id order by coins desc) filter (where hop = 1 and starting + bought < coins * 0.9) as middlemen
      from unnest(p_payers) as payers (user_id, hop, coins, starting, bought)
  )
  select 'free_coins', risk_points(50, starting, 0.35, 0.8), jsonb_build_object('percent', risk_percent(starting)) from parts
  union all
  select 'own_purchase', risk_points(60, own, 0, 0.3), jsonb_build_object('percent', risk_percent(own)) from parts
  union all
  select 'middleman', risk_points(45, forwarded, 0, 0.4),
         jsonb_build_object('percent', risk_percent(forwarded), 'users', risk_users(middlemen)) from parts
$$;

-- Finds disputes, fraud warnings, refunds, shared cards and reached card limits of the users whose coins these are.
create or replace function card_reasons(p_worker uuid, p_linked uuid[], p_payers coin_payer[], p_total numeric)
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with paid as materialized (
    select payers.user_id, payers.share, payments.*
      from (select user_id as payer_id, sum(coins) / p_total as share from unnest(p_payers) group by user_id) as payers (user_id, share)
      cross join lateral (
        select bool_or(fraud_warning_at is not null) as is_warned, coalesce(sum(amount_cents), 0) as cents,
               coalesce(sum(reversed_cents), 0) as reversed,
               coalesce(sum((select sum(disputes.cents) from payment_disputes as disputes where disputes.payment_id = newest.id)), 0) as disputed,
               bool_or(card_fingerprint <> '' and exists (
                 select from payments as others where others.card_fingerprint = newest.card_fingerprint
                    and others.user_id <> payers.user_id)) as is_shared,
               bool_or(card_fingerprint <> '' and exists (
                 select from payments as others where others.card_fingerprint = newest.card_fingerprint
                    and others.user_id <> payers.user_id
                    and (others.user_id = p_worker or others.user_id = any (p_linked)
                         or others.user_id in (select user_id from unnest(p_payers))))) as is_shared_inside,
               exists (select from card_limit_hits
                        where user_id = payers.user_id and day > (clock_time() - interval '90 days')::date) as is_limited
          from (select * from payments where user_id = payers.user_id order by number desc limit 100) as newest
      ) as payments
  )
  select 'disputed', risk_points(60, sum(share), 0.15, 0.6),
         jsonb_build_object('percent', risk_percent(sum(share)), 'cents', sum(disputed), 'users', risk_users(array_agg(user_id order by share desc)))
    from paid where disputed > 0
  union all
  select 'fraud_warning', risk_points(50, sum(share), 0.1, 0.5),
         jsonb_build_object('percent', risk_percent(sum(share)), 'users', risk_users(array_agg(user_id order by share desc)))
    from paid where is_warned
  union all
  select 'refunded', risk_points(25, sum(share), 0.15, 0.6),
         jsonb_build_object('percent', risk_percent(sum(share)), 'cents', sum(reversed), 'users', risk_users(array_agg(user_id order by share desc)))
    from paid where reversed > 0 and reversed * 3 >= cents and disputed = 0
  union all
  select 'shared_card', risk_points(case when bool_or(is_shared_inside) then 50 else 30 end, sum(share), 0.1, 0.5),
         jsonb_build_object('percent', risk_percent(sum(share)), 'users', risk_users(array_agg(user_id order by share desc)))
    from paid where is_shared
  union all
  select 'card_limits', risk_points(30, sum(share), 0.1, 0.5),
         jsonb_build_object('percent', risk_percent(sum(share)), 'users', risk_users(array_agg(user_id order by share desc)))
    from paid where is_limited
$$;

-- Finds other users with the same destination, and linked users who are frozen.
create or replace function link_reasons(p_worker uuid, p_linked uuid[], p_payers coin_payer[])
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  select 'shared_destination',
         case when exists (select from unnest(p_payers) where user_id = any (p_linked)) then 60
              else (array[0, 15, 30, 45, 60])[least(cardinality(p_linked), 4) + 1] end::numeric,
         jsonb_build_object('others', cardinality(p_linked), 'users', risk_users(p_linked))
  union all
  select 'linked_frozen', 40, jsonb_build_object('users', risk_users(array_agg(distinct frozen.id)))
    from (select unnest(p_linked) as id union select user_id from unnest(p_payers) where user_id <> p_worker) as frozen
   where is_frozen(frozen.id) having count(*) > 0
$$;

-- Finds destinations of other users with the same holder and another number.
create or replace function holder_reason(p_request withdrawals, p_linked uuid[])
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  select 'shared_holder', least(5 * count(*), 15)::numeric,
         jsonb_build_object('others', count(*), 'users', risk_users(array_agg(others.user_id)))
    from (select distinct others.user_id
            from payout_destinations as own
            join payout_destinations as others on lower(others.holder_name) = lower(own.holder_name)
           where own.id = p_request.destination_id and others.user_id <> p_request.worker_id
             and others.user_id <> all (p_linked) limit 100) as others
$$;

-- Finds rewards and bonuses of at least five times what a submission usually earns.
create or replace function reward_reason(p_withdrawal uuid)
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with usual as (
    select percentile_disc(0.5) within group (order by reward) as reward
      from (select reward from submissions order by id desc limit 2000) as recent
  ),
  paid as (
    select coins, case kind when 'submission_paid' then (select reward from submissions where id = ref)
                            when 'bonus_paid' then (select bonuses.coins from bonuses where id = ref) end as reward
      from coin_sources(p_withdrawal)
  ),
  high as (
    select sum(coins) filter (where paid.reward >= 5 * usual.reward)::numeric / nullif(sum(coins), 0) as share,
           max(paid.reward) as highest, max(usual.reward) as usual
      from paid cross join usual
  )
  select 'high_rewards', risk_points(20, share, 0.3, 0.8),
         jsonb_build_object('percent', risk_percent(share), 'coins', coalesce(highest, 0), 'usual', coalesce(usual, 0)) from high
$$;

-- Finds whether the worker or buyers joined within a week, unless most users did.
create or replace function age_reason(p_worker uuid, p_payers coin_payer[], p_total numeric)
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with market as (
    select avg((created_at > clock_time() - interval '7 days')::int) as young from (select created_at from users limit 5000) as known
  ),
  young as (
    select bool_or(users.id = p_worker) as worker,
           coalesce(sum(payers.coins) filter (where payers.hop = 1), 0) / p_total as share
      from (select p_worker as id union select user_id from unnest(p_payers)) as concerned join users using (id)
      left join unnest(p_payers) as payers on payers.user_id = users.id
     where users.created_at > clock_time() - interval '7 days'
  )
  select 'new_accounts', 10 * (1 - market.young) * greatest(case when young.worker then 0.5 else 0 end, young.share),
         jsonb_build_object('percent', risk_percent(young.share), 'worker', coalesce(young.worker, false)) from market, young
$$;

-- Finds networks on which the worker and a user who paid them have signed in, by how few users have them.
create or replace function network_reason(p_worker uuid, p_payers coin_payer[])
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with market as (select count(*) as users from (select from users limit 10000) as known),
  own as (
    select network, array_agg(distinct device) as devices from (
      select network, device from sessions where identity_id = p_worker and network not in ('', 'unknown') limit 1000) as recent
     group by network limit 50
  ),
  shared as (
    select own.network, payers.user_id,
           bool_or(sessions.device = any (own.devices)) as is_same_device,
           (select count(distinct identity_id) from (select identity_id from sessions as others
                     where others.network = own.network limit 1000) as known) as users
      from own cross join (select distinct user_id from unnest(p_payers) where user_id <> p_worker) as payers
      join sessions on sessions.network = own.network and sessions.identity_id = payers.user_id
     group by own.network, payers.user_id
  ),
  weighed as (
    select shared.*, network_rarity(shared.users, market.users) * case when is_same_device then 1 else 0.7 end as weight
      from shared cross join market
  )
  select 'shared_network', 20 * max(weight),
         jsonb_build_object('others', (array_agg(users order by weight desc))[1],
           'sameDevice', (array_agg(is_same_device order by weight desc))[1], 'users', risk_users(array_agg(distinct user_id)))
    from weighed
$$;

-- Returns numbers that Admins see beside the score, without points.
create or replace function risk_facts(p_request withdrawals, p_linked uuid[], p_payers coin_payer[], p_total numeric)
returns jsonb language sql stable as $$
  select jsonb_build_object(
    'topBuyersPercent', risk_percent((select sum(coins) / p_total from (
        select coins from unnest(p_payers) where hop = 1 order by coins desc limit 3) as largest)),
    'buyers', (select count(*) from unnest(p_payers) where hop = 1),
    'bonusPercent', risk_percent((select sum(starting) / p_total
                                              from unnest(p_payers) as payers (user_id, hop, coins, starting, bought))),
    'paidInCents', (select coalesce(sum(amount_cents - reversed_cents), 0) from payments
                     where user_id in (select user_id from unnest(p_payers))),
    'askedCents', (select sum(amount_cents) from withdrawals
                    where (worker_id = p_request.worker_id or worker_id = any (p_linked)) and status in ('pending', 'approved')),
    'workerAgeDays', (select extract(day from p_request.created_at - created_at)::int from users where id = p_request.worker_id),
    'roleChanges', (select count(*) from security_log where identity_id = p_request.worker_id and kind = 'role_changed'))
$$;
