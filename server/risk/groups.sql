-- Returns the coins that a buyer paid, by task and worker: rewards and bonuses of the last thousand of each.
create or replace function payments_by_task(p_buyer uuid) returns table (task_id uuid, worker_id uuid, coins numeric) language sql stable as $$
  select task_id, worker_id, sum(coins) from (
    (select task_id, worker_id, reward as coins from submissions where buyer_id = p_buyer and status = 'approved' order by id desc limit 1000)
    union all
    (select submissions.task_id, latest.worker_id, latest.coins
       from (select submission_id, worker_id, coins from bonuses where buyer_id = p_buyer order by id desc limit 1000) as latest
       join submissions on submissions.id = latest.submission_id)) as paid
   group by task_id, worker_id
$$;

-- Finds groups of a buyer and several workers that are closed to others. Reads the ten buyers who paid most.
--
-- `dependent_workers`: buyers whose pay goes to workers who earn hardly from anybody else, whatever their number. Workers of
-- an honest buyer find work with others too. What is usual follows from the buyer's part of all recent pay: workers have
-- little choice where one buyer pays most. Reads the earnings of six workers of each buyer.
--
-- `exclusive_tasks`: tasks on which only the few workers were paid whom all these buyers pay most. Tasks are public: a ring
-- keeps others out by giving its tasks as few slots as it has workers. What is usual follows from the buyer's other tasks of
-- that size.
create or replace function group_reasons(p_worker uuid, p_payers coin_payer[], p_total numeric)
returns table (kind text, points numeric, params jsonb) language sql stable as $$
  with recent as materialized (
    select buyer_id, worker_id, reward from submissions order by id desc limit 2000
  ),
  payers as (
    select payers.user_id, sum(payers.coins) / p_total as share
      from unnest(p_payers) as payers where hop = 1 group by payers.user_id
     order by share desc limit 10
  ),
  paid as materialized (
    select payers.user_id, by_task.* from payers cross join lateral payments_by_task(payers.user_id) as by_task
  ),
  paid_workers as materialized (
    select user_id, worker_id, sum(coins) as coins, sum(sum(coins)) over (partition by user_id) as total,
           row_number() over (partition by user_id order by sum(coins) desc) as position
      from paid group by user_id, worker_id
  ),
  -- 60 coins more than were paid, and 40 more than were earned: few coins depend on nobody.
  dependence as (
    select paid_workers.user_id, paid_workers.coins / (paid_workers.total + 60) as of_buyer,
           paid_workers.coins / (earned.total + 40) as of_worker
      from paid_workers cross join lateral (select sum(coins) as total from earnings_by_buyer(paid_workers.worker_id)) as earned
     where position <= 6
  ),
  recent_pay as materialized (
    select buyer_id, sum(reward) / sum(sum(reward)) over () as share from recent group by buyer_id
  ),
  usual as materialized (
    select payers.user_id, payers.share, greatest(0.4, least(1.3 * coalesce(recent_pay.share, 0), 0.8)) as of_worker
      from payers left join recent_pay on recent_pay.buyer_id = payers.user_id
  ),
  closed as (
    select user_id, share, sum(of_buyer * least(greatest((dependence.of_worker - usual.of_worker) / 0.3, 0), 1)) as closure
      from dependence join usual using (user_id) group by user_id, share
  ),
  -- At most one of eight active workers: the buyers of a small town have the same few workers in all tasks.
  circle as materialized (
    select worker_id from paid_workers join payers using (user_id)
     group by worker_id order by sum(share * coins / total) desc, worker_id
     limit (select least(greatest(count(distinct worker_id) / 8, 1), 8) from recent)
  ),
  tasks as (
    select user_id, task_id, sum(coins) as coins, count(*) as workers,
           bool_and(worker_id in (select worker_id from circle)) as is_exclusive,
           coalesce(sum(coins) filter (where worker_id = p_worker), 0) as own
      from paid group by user_id, task_id
  ),
  sized as (
    select user_id, own, is_exclusive,
           sum(coins) filter (where is_exclusive) over of_size / sum(coins) over of_size as exclusive_of_size,
           sum(coins) filter (where is_exclusive) over (partition by user_id) as exclusive
      from tasks window of_size as (partition by user_id order by workers)
  ),
  exclusive as (
    select user_id, share * sum(own * least(greatest((exclusive_of_size - 0.6) / 0.3, 0), 1)) filter (where is_exclusive) / sum(own)
             * max(exclusive) / (max(exclusive) + 60) as weighed
      from sized join payers using (user_id) group by user_id, payers.share having sum(own) > 0
  )
  select 'dependent_workers', risk_points(60, sum(share * closure), 0.2, 0.5),
         jsonb_build_object('percent', risk_percent(sum(share * closure)),
                            'users', risk_users(array_agg(user_id order by share * closure desc) filter (where closure > 0.2)))
    from closed
  union all
  -- 8 % of the coins from one buyer is nothing unusual: honest workers may have several buyers with few workers.
  select 'exclusive_tasks', risk_points(60, sum(greatest(weighed - 0.08, 0)), 0.2, 0.5),
         jsonb_build_object('percent', risk_percent(sum(weighed) filter (where weighed > 0.08)),
                            'users', risk_users(array_agg(user_id order by weighed desc) filter (where weighed > 0.08)))
    from exclusive
$$;
