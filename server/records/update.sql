-- Computes the records of buyers over the last 90 days: shares of decided work without unconfirmed rejections, appeals that workers
-- won, and median times in seconds to the decision and to the payment.
create or replace function update_buyer_records(p_buyers uuid[]) returns void language sql as $$
  insert into buyer_records (buyer_id, record, updated_at)
  select buyers.id, jsonb_build_object(
           'decided', count(status),
           'approved', count(*) filter (where status = 'approved'),
           'rejected', count(*) filter (where status <> 'approved'),
           'appealsLost', count(*) filter (where status = 'approved' and rejected_at is not null
                                             and decided_by in ('reviewer', 'silence', 'no_reviewer')),
           'decisionSeconds', (percentile_cont(0.5) within group (
              order by extract(epoch from coalesce(rejected_at, decided_at) - created_at)))::int,
           'paymentSeconds', (percentile_cont(0.5) within group (
              order by extract(epoch from decided_at - created_at)) filter (where status = 'approved'))::int),
         clock_time()
    from unnest(p_buyers) as buyers (id)
    left join submissions on buyer_id = buyers.id
     and status in ('approved', 'rejection_open', 'appealed', 'in_review', 'rejected')
     and coalesce(rejected_at, decided_at) > clock_time() - interval '90 days'
     and decided_by is distinct from 'worker_left'
     -- An unconfirmed rejection is not appealed yet.
     and (status <> 'in_review' or exists (select from appeals where submission_id = submissions.id))
   group by buyers.id order by buyers.id
  on conflict (buyer_id) do update set record = excluded.record, updated_at = excluded.updated_at
$$;

-- Computes the records of workers: work approved, and work whose rejection is final.
create or replace function update_worker_records(p_workers uuid[]) returns void language sql as $$
  insert into worker_records (worker_id, approved, rejected, updated_at)
  select worker_id, count(*) filter (where status = 'approved'),
         count(*) filter (where status = 'rejected' and decided_by <> 'worker_left'), clock_time()
    from submissions where worker_id = any (p_workers) and status in ('approved', 'rejected')
   group by worker_id order by worker_id
  on conflict (worker_id) do update set
    approved = excluded.approved, rejected = excluded.rejected, updated_at = excluded.updated_at
$$;

-- Computes the median time from reservation to submission of tasks, from five timed submissions on. Rejected work does not
-- count: with fewer left, the record is deleted.
create or replace function update_task_records(p_tasks uuid[]) returns void language sql as $$
  with timed as (
    select task_id, count(*) as count,
           greatest(1, (percentile_cont(0.5) within group (order by extract(epoch from submissions.created_at - reserved_at)))::int)
             as median_seconds
      from submissions where task_id = any (p_tasks) and reserved_at is not null and rejected_at is null
     group by task_id having count(*) >= 5),
  deleted as (
    delete from task_records where task_id = any (p_tasks) and task_id not in (select task_id from timed))
  insert into task_records (task_id, timed, median_seconds)
  select task_id, count, median_seconds from timed order by task_id
  on conflict (task_id) do update set timed = excluded.timed, median_seconds = excluded.median_seconds;
  select set_hourly_pay(p_tasks)
$$;
