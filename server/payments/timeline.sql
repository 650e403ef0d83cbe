-- Returns what happened with a payment and the coins that it bought, oldest first: its disputes and refunds, the newest 100 payments of
-- its buyer into tasks, 100 to workers, and 100 withdrawals of these workers since. The newest 5,000 of each are read: a large buyer has
-- paid for millions since. `more` is how many of them are left out.
create or replace function payment_timeline(p_payment uuid)
returns table (at timestamptz, kind text, actor text, actor_id uuid, subject text, user_id uuid, cents bigint, coins bigint, more bigint)
language sql stable as $$
  with payment as (select * from payments where id = p_payment),
  paid as (
    (select submissions.decided_at as at, 'work_paid' as kind, submissions.worker_id, submissions.reward as coins
       from payment join submissions on submissions.buyer_id = payment.user_id and submissions.status = 'approved'
                                    and submissions.decided_at >= payment.paid_at
      order by submissions.id desc limit 5000)
    union all
    (select bonuses.created_at, 'bonus_paid', bonuses.worker_id, bonuses.coins
       from payment join bonuses on bonuses.buyer_id = payment.user_id and bonuses.created_at >= payment.paid_at
      order by bonuses.created_at desc limit 5000)
  ),
  paid_workers as (select id as worker_id, name from users where id in (select worker_id from paid)),
  own as (
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
  ),
  others as (
    (select 'tasks' as source, funded.created_at as at, case funded.kind when 'task_funded' then 'task_posted' else funded.kind::text end as kind,
            null::text as actor, null::uuid as actor_id, tasks.title as subject, null::uuid as user_id, null::bigint as cents, funded.amount as coins
       from payment join users as buyers on buyers.id = payment.user_id
       join ledger_transfers as funded on funded.debit = buyers.account_id and funded.created_at >= payment.paid_at
                                      and funded.kind in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened')
       join ledger_accounts as escrows on escrows.id = funded.credit
       join tasks on tasks.id = escrows.owner_id
      order by funded.id desc limit 5000)
    union all
    select 'work', paid.at, paid.kind, null, null, paid_workers.name, paid.worker_id, null, paid.coins from paid join paid_workers using (worker_id)
    union all
    (select 'withdrawals', withdrawals.created_at, 'withdrawal_requested', null, null, workers.name, workers.worker_id, withdrawals.amount_cents,
            withdrawals.coins
       from paid_workers as workers
       join withdrawals on withdrawals.worker_id = workers.worker_id
       join payment on withdrawals.created_at >= payment.paid_at
      order by withdrawals.created_at desc limit 5000)
    union all
    (select 'withdrawals', withdrawals.decided_at, 'withdrawal_' || withdrawals.status, deciders.name, deciders.id, workers.name, workers.worker_id,
            withdrawals.amount_cents, withdrawals.coins
       from paid_workers as workers
       join withdrawals on withdrawals.worker_id = workers.worker_id and withdrawals.decided_at is not null
       join payment on withdrawals.created_at >= payment.paid_at
       left join users as deciders on deciders.id = withdrawals.decided_by
      order by withdrawals.decided_at desc limit 5000)
  ),
  numbered as (select *, row_number() over (partition by source order by others.at desc) as position from others),
  entries as (
    select * from own
    union all
    select numbered.at, numbered.kind, numbered.actor, numbered.actor_id, numbered.subject, numbered.user_id, numbered.cents, numbered.coins
      from numbered where position <= 100
  )
  select entries.*, (select count(*) from numbered where position > 100) from entries order by entries.at, entries.kind
$$;
