-- Buyers whose pay goes to workers who earn hardly from anybody else: a group that is closed on both sides, whatever its
-- size. Workers of an honest buyer find work with others too. What is usual follows from the buyer's part of all recent pay:
-- workers have little choice where one buyer pays most. Reads the ten buyers who paid most, and six workers of each.
create or replace function dependents_reason(p_payers coin_payer[], p_total numeric)
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with recent as materialized (
    select buyer_id, reward from submissions order by id desc limit 2000
  ),
  payers as (
    select payers.user_id, sum(payers.coins) / p_total as share
      from unnest(p_payers) as payers where hop = 1 group by payers.user_id
     order by share desc limit 10
  ),
  -- 60 coins more than were paid, and 40 more than were earned: few coins depend on nobody.
  workers as (
    select payers.user_id, payers.share, paid.coins / (paid.total + 60) as of_buyer,
           paid.coins / (earned.total + 40) as of_worker
      from payers
      cross join lateral (
        select worker_id, coins, sum(coins) over () as total from payments_by_worker(payers.user_id) order by coins desc limit 6) as paid
      cross join lateral (select sum(coins) as total from earnings_by_buyer(paid.worker_id)) as earned
  ),
  usual as (
    select payers.user_id, greatest(0.4, least(1.3 * coalesce(recent_pay.share, 0), 0.8)) as of_worker
      from payers cross join lateral (
        select sum(reward) filter (where buyer_id = payers.user_id) / nullif(sum(reward), 0)::numeric as share from recent) as recent_pay
  ),
  closed as (
    select workers.user_id, workers.share,
           sum(workers.of_buyer * least(greatest((workers.of_worker - usual.of_worker) / 0.3, 0), 1)) as closure
      from workers join usual on usual.user_id = workers.user_id group by workers.user_id, workers.share
  )
  select 'dependent_workers', risk_points(60, sum(share * closure), 0.2, 0.5),
         jsonb_build_object('percent', risk_percent(sum(share * closure)),
                            'users', risk_users(array_agg(user_id order by share * closure desc) filter (where closure > 0.2)))
    from closed
$$;
