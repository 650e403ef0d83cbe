-- The items of batches, and the task that pays for them (docs/decisions/0085-batches-beside-tasks.md).
-- Locks: tasks and batches, exclusively for a moment, while a column without a default is added.

-- The batch whose items the workers of a task work on; null: a plain task.
alter table tasks add column batch_id uuid;

alter table batches
  drop constraint batches_state,
  add constraint batches_state check (state in ('uploading', 'checking', 'checked', 'funding', 'open', 'cancelled')),
  add column task_id uuid unique references tasks,
  add column items_written int not null default 0,
  add column completion_date date,
  add column agreed_total bigint,
  add column funding_refusal jsonb,
  add constraint batches_open check ((state = 'open') = (task_id is not null)),
  add constraint batches_funding check ((state in ('funding', 'open')) <= (completion_date is not null and agreed_total is not null)),
  add constraint batches_written check (items_written between 0 and items);

-- One row of a file. `answers_taken` counts reservations, submissions that are not final and approved ones.
create table batch_items (
  batch_id       uuid not null references batches on delete cascade,
  number         int not null,
  input          jsonb not null,
  answers_wanted int not null,
  answers_taken  int not null default 0,
  primary key (batch_id, number),
  constraint batch_items_number check (number >= 1),
  constraint batch_items_answers check (answers_taken between 0 and answers_wanted and answers_wanted >= 1)
);
create index batch_items_open on batch_items (batch_id, number) where answers_taken < answers_wanted;
