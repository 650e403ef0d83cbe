-- Work on items of batches whose records are computed next (docs/specification/records.md). Its notifications count up, so that they do not
-- name each submission.
-- Locks: nothing; the table is new.
create table work_changes (
  id        bigint generated always as identity primary key,
  buyer_id  uuid not null,
  worker_id uuid not null,
  task_id   uuid not null
);
