-- Work that somebody handed in. A pending or approved one holds a slot; a decision is made once.
create type submission_status as enum ('pending', 'approved', 'rejected');
create type decider as enum ('buyer', 'time', 'buyer_left', 'worker_left');

create table submissions (
  id         uuid primary key,                      -- time-ordered
  task_id    uuid not null references tasks,
  worker_id  uuid not null references users,
  buyer_id   uuid not null references users,
  reward     bigint not null,                        -- the task's, frozen
  text       text not null,
  status     submission_status not null default 'pending',
  reason     text not null default '',
  created_at timestamptz not null default clock_time(),
  review_by  timestamptz not null,                   -- approves itself then
  warned_at  timestamptz,
  decided_at timestamptz,
  decided_by decider,
  constraint submissions_decided check ((status = 'pending') = (decided_at is null and decided_by is null)),
  constraint submissions_reward check (reward > 0)
) with (fillfactor = 85);
-- One live submission per worker and task; after a rejection the worker may try again.
create unique index submissions_one_live on submissions (task_id, worker_id) where status <> 'rejected';
create index submissions_of_buyer on submissions (buyer_id, status, id) include (reward);
create index submissions_of_worker on submissions (worker_id, status, id) include (reward);
create index submissions_of_worker_newest on submissions (worker_id, id desc) where status <> 'rejected';
create index submissions_pending_of_task on submissions (task_id) where status = 'pending';
create index submissions_to_approve on submissions (review_by) where status = 'pending';
