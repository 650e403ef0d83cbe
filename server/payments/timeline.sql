-- Returns what happened with a payment and the coins that it bought, oldest first, at most 500 entries: its disputes and
-- refunds, what its buyer posted and paid since, and the withdrawals of the workers whom they paid.
create or replace function payment_timeline(p_payment uuid)
returns table (at timestamptz, kind text, actor text, actor_id uuid, subject text, user_id uuid, cents bigint, coins bigint)
language sql stable as $$
  with payment as (select * from payments where id = p_payment),
  paid_workers as (
    select submissions.worker_id, submissions.reward, submissions.decided_at, workers.name
      from payment join submissions on submissions.buyer_id = payment.user_id and submissions.status = 'approved'
                                   and submissions.decided_at >= payment.paid_at
      join users as workers on workers.id = submissions.worker_id
     order by submissions.decided_at limit 100
  ),
  entries as (
    select paid_at as at, 'paid' as kind, null::text as actor, null::uuid as actor_id, transaction_id as subject,
           null::uuid as user_id, amount_cents as cents, payment.coins as coins
      from payment
    union all
    select fraud_warning_at, 'fraud_warning', null, null, '', null, null, null from payment where fraud_warning_at is not null
    union all
    select events.created_at, events.kind, actors.name, actors.id,
           coalesce(data ->> 'status', data ->> 'reason', data ->> 'tasks', ''), null, (data ->> 'cents')::bigint, (data ->> 'coins')::bigint
      from payment_events as events left join users as actors on actors.id = events.actor_id where payment_id = p_payment
    union all
    select created_at, 'reversed', null, null, '', null, cents, payment_reversals.coins from payment_reversals where payment_id = p_payment
    union all
    (select tasks.created_at, 'task_posted', null, null, tasks.title, null, null, tasks.slots * tasks.reward
       from payment join tasks on tasks.buyer_id = payment.user_id and tasks.created_at >= payment.paid_at
      order by tasks.created_at limit 100)
    union all
    select decided_at, 'work_paid', null, null, name, worker_id, null, reward from paid_workers
    union all
    select withdrawals.created_at, 'withdrawal_requested', null, null, workers.name, workers.worker_id, withdrawals.amount_cents, withdrawals.coins
      from (select distinct worker_id, name from paid_workers) as workers
      join withdrawals on withdrawals.worker_id = workers.worker_id
      join payment on withdrawals.created_at >= payment.paid_at
    union all
    select withdrawals.decided_at, 'withdrawal_' || withdrawals.status, deciders.name, deciders.id, workers.name, workers.worker_id,
           withdrawals.amount_cents, withdrawals.coins
      from (select distinct worker_id, name from paid_workers) as workers
      join withdrawals on withdrawals.worker_id = workers.worker_id and withdrawals.decided_at is not null
      join payment on withdrawals.created_at >= payment.paid_at
      left join users as deciders on deciders.id = withdrawals.decided_by
  )
  select * from entries order by at, kind limit 500
$$;
