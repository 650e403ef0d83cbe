create or replace function audit_tasks()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with work as (
    select task_id,
           count(*) filter (where status not in ('approved', 'rejected')) as undecided,
           count(*) filter (where status = 'approved') as approved
      from submissions group by task_id
  ),
  reserved as (
    select task_id, count(*) as live from reservations where ended_at is null group by task_id
  ),
  -- `withdrawn`: the refunds of slots that a buyer had added for work whose rejection then stood.
  withdrawn as (
    select refund.debit as escrow, sum(refund.amount) as coins
      from ledger_transfers as refund join submissions on submissions.id = refund.ref
     where refund.kind = 'slot_refunded' and submissions.slot_reopened
     group by refund.debit
  ),
  sums as (
    select case when kind in ('submission_paid', 'slot_refunded', 'task_refunded') then debit else credit end as escrow,
           sum(amount) filter (where kind in ('task_funded', 'task_topped_up', 'slot_reopened', 'reversal_funded')) as funded,
           sum(amount) filter (where kind = 'task_reopened') as reopened,
           sum(amount) filter (where kind = 'submission_paid') as paid,
           sum(amount) filter (where kind in ('slot_refunded', 'task_refunded')) as refunded
      from ledger_transfers
     where kind in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded',
                    'submission_paid', 'slot_refunded', 'task_refunded')
     group by 1
  ),
  -- Only the columns of the checks: a million rows with their texts would be written to disk.
  held as (
    select tasks.reward, tasks.slots, tasks.slots_left, tasks.closed_at, accounts.balance, accounts.kind,
           coalesce(reserved.live, 0) as reserved,
           coalesce(work.undecided, 0) as undecided, coalesce(work.approved, 0) as approved,
           coalesce(sums.funded, 0) as funded, coalesce(sums.reopened, 0) as reopened,
           coalesce(sums.paid, 0) as paid, coalesce(sums.refunded, 0) as refunded, coalesce(withdrawn.coins, 0) as withdrawn
      from tasks join ledger_accounts as accounts on accounts.id = tasks.escrow_id
      left join work on work.task_id = tasks.id
      left join reserved on reserved.task_id = tasks.id
      left join sums on sums.escrow = tasks.escrow_id
      left join withdrawn on withdrawn.escrow = tasks.escrow_id
  ),
  held_counts as (
    select count(*) as tasks, count(*) filter (where closed_at is null) as open_tasks,
           count(*) filter (where kind <> 'escrow' or balance <> reward * (slots_left + reserved + undecided)) as wrong_escrow,
           count(*) filter (where closed_at is null and slots_left <> slots - reserved - undecided - approved) as wrong_slots_left,
           count(*) filter (where reserved + undecided + approved > slots) as too_much_work,
           count(*) filter (where funded - withdrawn <> reward * slots) as wrong_funding,
           count(*) filter (where funded + reopened <> paid + refunded + balance) as wrong_coins
      from held
  ),
  payment_counts as (
    select count(submissions.id) as approved, count(paid.ref) as payments,
           count(submissions.id) filter (where (paid.amount, paid.debit, paid.credit)
             is distinct from (submissions.reward, submissions.escrow_id, submissions.account_id)) as not_paid,
           count(paid.ref) filter (where submissions.id is null) as not_approved
      from (select submissions.id, submissions.reward, tasks.escrow_id, workers.account_id
              from submissions join tasks on tasks.id = submissions.task_id join users as workers on workers.id = submissions.worker_id
             where status = 'approved') as submissions
      full join (select ref, debit, credit, amount from ledger_transfers where kind = 'submission_paid') as paid
        on paid.ref = submissions.id
  )
  select checks.*
    from held_counts cross join lateral (values
      ('every escrow holds the pay of its free slots, its reserved slots and of work that is not final', tasks, wrong_escrow),
      ('slots left of an open task are its slots without a reservation, work that is not final or approved', open_tasks, wrong_slots_left),
      ('no task has more reservations, work that is not final and approved work than slots', tasks, too_much_work),
      ('the slots of every task were funded', tasks, wrong_funding),
      ('every coin of a task was paid, was refunded or is in escrow', tasks, wrong_coins)) as checks
  union all
  select 'every change of a task moved its coins', count(*),
         count(*) filter (where coalesce(moved.amount, 0) <> coalesce(changes.coins, 0) or moved.escrow <> tasks.escrow_id)
    from (select *, (case kind when 'closed' then 'task_refunded' when 'topped_up' then 'task_topped_up'
                               when 'reopened' then 'task_reopened' end)::transfer_kind as moved_as
            from task_changes) as changes
    full join (
      select kind, ref, amount, case when kind = 'task_refunded' then debit else credit end as escrow
        from ledger_transfers where kind in ('task_refunded', 'task_topped_up', 'task_reopened')) as moved
      on moved.ref = changes.id and moved.kind = changes.moved_as
    left join tasks on tasks.id = changes.task_id
  union all
  select checks.*
    from payment_counts cross join lateral (values
      ('every approved submission was paid its reward, once', approved, not_paid),
      ('no payment without an approved submission', payments, not_approved)) as checks
  union all
  select 'every escrow belongs to one task', count(*), count(*) filter (where tasks.id is null or tasks.id <> owner_id)
    from ledger_accounts as accounts left join tasks on tasks.escrow_id = accounts.id where accounts.kind = 'escrow'
$$;
