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
  held as (
    select tasks.*, accounts.balance, accounts.kind, coalesce(reserved.live, 0) as reserved,
           coalesce(work.undecided, 0) as undecided, coalesce(work.approved, 0) as approved
      from tasks join ledger_accounts as accounts on accounts.id = tasks.escrow_id
      left join work on work.task_id = tasks.id
      left join reserved on reserved.task_id = tasks.id
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
  select 'every approved submission was paid its reward, once', count(*), count(*) filter (where paid.amount is distinct from submissions.reward)
    from submissions left join ledger_transfers as paid on paid.kind = 'submission_paid' and paid.ref = submissions.id
   where submissions.status = 'approved'
  union all
  select 'no payment without an approved submission', count(*), count(*) filter (where submissions.id is null)
    from ledger_transfers as paid left join submissions on submissions.id = paid.ref and submissions.status = 'approved'
   where paid.kind = 'submission_paid'
  union all
  select 'every escrow belongs to one task', count(*), count(*) filter (where tasks.id is null)
    from ledger_accounts as accounts left join tasks on tasks.escrow_id = accounts.id where accounts.kind = 'escrow'
$$;
