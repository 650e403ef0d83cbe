-- What a task pays per hour at its median working time (docs/specification/records.md#of-a-task), for the order of lists; 0
-- while the time is not known. The background job of the records keeps it.
alter table tasks add column hourly_pay bigint not null default 0;
update tasks set hourly_pay = reward * 3600 / median_seconds
  from task_records where task_records.task_id = tasks.id;
create index tasks_open_by_hourly_pay on tasks (hourly_pay desc, id desc) where closed_at is null;
create index tasks_listed_by_hourly_pay on tasks (hourly_pay desc, id desc) where deleted_at is null;
