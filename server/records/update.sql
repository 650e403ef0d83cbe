-- Computes the record of a buyer over the last 90 days: shares of decided work, appeals that workers won, and median times
-- in seconds to the decision and to the payment.
create or replace function update_buyer_record(p_buyer uuid) returns void language sql as $$
  insert into buyer_records (buyer_id, record, updated_at)
  select p_buyer, jsonb_build_object(
           'decided', count(*),
           'approved', count(*) filter (where status = 'approved'),
           'rejected', count(*) filter (where status <> 'approved'),
           'appealsLost', count(*) filter (where status = 'approved' and rejected_at is not null
                                             and decided_by in ('reviewer', 'silence', 'no_reviewer')),
           'decisionSeconds', (percentile_cont(0.5) within group (
              order by extract(epoch from coalesce(rejected_at, decided_at) - created_at)))::int,
           'paymentSeconds', (percentile_cont(0.5) within group (
              order by extract(epoch from decided_at - created_at)) filter (where status = 'approved'))::int),
         clock_time()
    from submissions
   where buyer_id = p_buyer and status in ('approved', 'rejection_open', 'appealed', 'in_review', 'rejected')
     and coalesce(rejected_at, decided_at) > clock_time() - interval '90 days'
     and decided_by is distinct from 'worker_left'
  on conflict (buyer_id) do update set record = excluded.record, updated_at = excluded.updated_at
$$;

-- Computes the record of a worker: work approved, and work whose rejection is final.
create or replace function update_worker_record(p_worker uuid) returns void language sql as $$
  insert into worker_records (worker_id, approved, rejected, updated_at)
  select p_worker, count(*) filter (where status = 'approved'),
         count(*) filter (where status = 'rejected' and decided_by <> 'worker_left'), clock_time()
    from submissions where worker_id = p_worker and status in ('approved', 'rejected')
  on conflict (worker_id) do update set
    approved = excluded.approved, rejected = excluded.rejected, updated_at = excluded.updated_at
$$;

-- Computes the median time from reservation to submission of a task, from five timed submissions on.
create or replace function update_task_record(p_task uuid) returns void language sql as $$
  insert into task_records (task_id, timed, median_seconds)
  select p_task, count(*),
         greatest(1, (percentile_cont(0.5) within group (order by extract(epoch from created_at - reserved_at)))::int)
    from submissions where task_id = p_task and reserved_at is not null
  having count(*) >= 5
  on conflict (task_id) do update set timed = excluded.timed, median_seconds = excluded.median_seconds
$$;
