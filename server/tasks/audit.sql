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
  moves as (
    select kind, ref, amount, credit as escrow from ledger_transfers
     where kind in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded')
    union all
    select kind, ref, amount, debit from ledger_transfers
     where kind in ('submission_paid', 'slot_refunded', 'task_refunded')
  ),
  -- `withdrawn`: the refunds of slots that a buyer had added for work whose rejection then stood.
  sums as (
    select escrow,
           sum(amount) filter (where kind in ('task_funded', 'task_topped_up', 'slot_reopened', 'reversal_funded')) as funded,
           sum(amount) filter (where kind = 'task_reopened') as reopened,
           sum(amount) filter (where kind = 'submission_paid') as paid,
           sum(amount) filter (where kind in ('slot_refunded', 'task_refunded')) as refunded,
           sum(amount) filter (where kind = 'slot_refunded' and submissions.slot_reopened) as withdrawn
      from moves left join submissions on submissions.id = moves.ref and kind = 'slot_refunded'
     group by escrow
  ),
  held as (
    select tasks.*, accounts.balance, accounts.kind, coalesce(reserved.live, 0) as reserved,
           coalesce(work.undecided, 0) as undecided, coalesce(work.approved, 0) as approved,
           coalesce(sums.funded, 0) as funded, coalesce(sums.reopened, 0) as reopened,
           coalesce(sums.paid, 0) as paid, coalesce(sums.refunded, 0) as refunded, coalesce(sums.withdrawn, 0) as withdrawn
      from tasks join ledger_accounts as accounts on accounts.id = tasks.escrow_id
      left join work on work.task_id = tasks.id
      left join reserved on reserved.task_id = tasks.id
      left join sums on sums.escrow = tasks.escrow_id
  )
  select 'every escrow holds the pay of its free slots, its reserved slots and of work that is not final', count(*),
         count(*) filter (where kind <> 'escrow' or balance <> reward * (slots_left + reserved + undecided))
    from held
  union all
  select 'slots left of an open task are its slots without a reservation, work that is not final or approved', count(*),
         count(*) filter (where slots_left <> slots - reserved - undecided - approved)
    from held where closed_at is null
  union all
  select 'no task has more reservations, work that is not final and approved work than slots', count(*),
         count(*) filter (where reserved + undecided + approved > slots)
    from held
  union all
  select 'the slots of every task were funded', count(*), count(*) filter (where funded - withdrawn <> reward * slots) from held
  union all
  select 'every coin of a task was paid, was refunded or is in escrow', count(*),
         count(*) filter (where funded + reopened <> paid + refunded + balance)
    from held
  union all
  select 'every change of a task moved its coins', count(*),
         count(*) filter (where coalesce(moved.amount, 0) <> coalesce(changes.coins, 0) or moved.escrow <> tasks.escrow_id)
    from (select *, (case kind when 'closed' then 'task_refunded' when 'topped_up' then 'task_topped_up'
                               when 'reopened' then 'task_reopened' end)::transfer_kind as moved_as
            from task_changes) as changes
    full join (select * from moves where kind in ('task_refunded', 'task_topped_up', 'task_reopened')) as moved
      on moved.ref = changes.id and moved.kind = changes.moved_as
    left join tasks on tasks.id = changes.task_id
  union all
  select 'every approved submission was paid its reward, once', count(*), count(*) filter (where paid.amount is distinct from submissions.reward)
    from submissions left join ledger_transfers as paid on paid.kind = 'submission_paid' and paid.ref = submissions.id
   where submissions.status = 'approved'
  union all
  select 'no payment without an approved submission', count(*), count(*) filter (where submissions.id is null)
    from ledger_transfers as paid left join submissions on submissions.id = paid.ref and submissions.status = 'approved'
   where paid.kind = 'submission_paid'
  union all
  select 'every escrow belongs to one task', count(*), count(*) filter (where tasks.id is null or tasks.id <> owner_id)
    from ledger_accounts as accounts left join tasks on tasks.escrow_id = accounts.id where accounts.kind = 'escrow'
$$;
