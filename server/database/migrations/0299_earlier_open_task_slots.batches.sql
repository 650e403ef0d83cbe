-- Adds the free slots of the tasks that were open before 0298, which keeps those of later changes.
-- Locks: the rows of a batch of tasks, in the order of their ids, so that none changes between its copy and the end of the batch.
with open_tasks as materialized (
  select id, slots_left from tasks
   where closed_at is null and id > (case $1::text when '0' then '00000000-0000-0000-0000-000000000000' else $1 end)::uuid
   order by id limit 1000 for no key update
),
added as (
  insert into open_task_slots (task_id, slots_left) select id, slots_left from open_tasks on conflict do nothing
)
select id as last from open_tasks order by id desc limit 1
