-- Which workers opened a task, and how many they were (docs/specification/tasks.md#funnel). The rows of a worker are deleted a
-- month after the task closed; the number stays.
-- Locks: users and tasks, for the moment in which foreign keys are added to new, empty tables.
create table task_viewers (
  task_id   uuid not null references tasks,
  worker_id uuid not null references users,
  primary key (task_id, worker_id)
);
create index task_viewers_of_worker on task_viewers (worker_id);
create table task_view_counts (
  task_id uuid primary key references tasks,
  workers int not null check (workers >= 0)
);
