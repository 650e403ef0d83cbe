-- Whether a slot of the task's current version was taken. A flag on the task, which taking a slot writes anyway, costs
-- nothing; an index on submissions cost every submission a write. Tasks of earlier versions count as used.
alter table tasks add column version_used boolean not null default true;
alter table tasks alter column version_used set default false;
drop index submissions_of_task_version;
drop function if exists task_version_in_use(tasks);
