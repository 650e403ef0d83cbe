-- A slot that a worker holds for a time before they submit. It is live until it ends; `expires_at` is when it lapses.
create type reservation_outcome as enum ('submitted', 'returned', 'lapsed', 'cancelled');

create table reservations (
  id           uuid primary key,
  task_id      uuid not null references tasks,
  worker_id    uuid not null references users,
  buyer_id     uuid not null references users,
  task_version int not null default 1,
  created_at   timestamptz not null default clock_time(),
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  outcome      reservation_outcome,
  constraint reservations_ended check ((ended_at is null) = (outcome is null))
) with (fillfactor = 85);
create unique index reservations_live on reservations (task_id, worker_id) where ended_at is null;
create index reservations_due on reservations (expires_at) where ended_at is null;
create index reservations_due_of_task on reservations (task_id, expires_at) where ended_at is null;
create index reservations_live_of_worker on reservations (worker_id, expires_at) where ended_at is null;
create index reservations_live_of_buyer on reservations (buyer_id) where ended_at is null;
create index reservations_lapsed on reservations (task_id, worker_id) where outcome = 'lapsed';
create index reservations_of_worker on reservations (worker_id, id);

-- When the worker reserved the slot of this work. Null: they submitted without a reservation.
alter table submissions add column reserved_at timestamptz;

-- Its successor is `refuse_slot` (server/tasks/slots.sql).
drop function if exists refuse_submission(uuid, uuid, bigint, text);
