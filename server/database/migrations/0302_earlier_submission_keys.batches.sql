-- Adds the keys of the submissions that were there before 0301, which keeps those of later ones. Work that may still be rejected is locked
-- against it, because a rejection before its key is added would not delete the key.
-- Locks: up to 5,000 rows of submissions against changes, for the moments in which their keys are added.
with part as materialized (
  select id, task_id, worker_id, item_number, rejected_at, status from submissions
   where id > case when $1::text = '0' then '00000000-0000-0000-0000-000000000000' else $1::text end::uuid order by id limit 5000
),
undecided as materialized (
  select id, task_id, worker_id, item_number from submissions
   where id = any (array(select id from part where rejected_at is null and item_number is null and status <> 'approved'))
     and rejected_at is null order by id for share
),
added as (
  insert into submission_keys (task_id, worker_id, item_number, submission_id)
  select task_id, worker_id, item_number, id from part where item_number is not null or (rejected_at is null and status = 'approved')
  union all
  select task_id, worker_id, item_number, id from undecided
  on conflict do nothing
)
select (select id from part order by id desc limit 1)::text as last
