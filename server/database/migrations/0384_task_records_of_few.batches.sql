-- Deletes the working times of tasks with fewer than five timed submissions that were not rejected, and the hourly pay that was computed
-- from them, as the updates of records do from now on (docs/specification/records.md#of-a-task).
-- Locks: those of up to 1,000 tasks with a working time that have too few submissions, in the order of their ids, while both are changed.
with part as materialized (
  select task_id from task_records
   where task_id > (case $1::text when '0' then '00000000-0000-0000-0000-000000000000' else $1 end)::uuid
   order by task_id limit 1000
),
few as materialized (
  select task_id from part
   where (select count(*) from (select from submissions
                                 where submissions.task_id = part.task_id and reserved_at is not null and rejected_at is null limit 5) as timed) < 5
),
locked as materialized (
  select id from tasks where id in (select task_id from few) order by id for no key update
),
deleted as (
  delete from task_records where task_id in (select id from locked)
),
changed as (
  update tasks set hourly_pay = 0 where id in (select id from locked) and hourly_pay <> 0
)
select task_id as last from part order by task_id desc limit 1
