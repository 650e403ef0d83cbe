-- Tasks that change after they were posted (docs/specification/tasks.md): the texts of earlier versions, and the changes
-- that move coins or the deadline.
alter table tasks
  add column version int not null default 1,
  add column review_hours int,                          -- null: the marketplace's review period
  add column reservation_minutes int not null default 60,
  add constraint tasks_version check (version >= 1),
  add constraint tasks_review_hours check (review_hours between 1 and 504),
  add constraint tasks_reservation_minutes check (reservation_minutes between 5 and 1440);

-- The texts of earlier versions. Those of the current version are in tasks.
create table task_versions (
  task_id         uuid not null references tasks,
  version         int not null,
  title           text not null,
  detail          text not null,
  submission_info text not null,
  created_at      timestamptz not null default clock_time(), -- when the next version replaced it
  primary key (task_id, version)
);

-- The version that the work was made for.
alter table submissions
  add column task_version int not null default 1,
  add constraint submissions_task_version check (task_version >= 1);
create index submissions_of_task_version on submissions (task_id, task_version);

create type task_change_kind as enum ('topped_up', 'extended', 'closed', 'reopened');

-- Changes of a task's slots and deadline. The transfer of a change has its id as the reference.
create table task_changes (
  id              uuid primary key,
  task_id         uuid not null references tasks,
  kind            task_change_kind not null,
  slots           int not null default 0,               -- added, refunded or restored
  coins           bigint not null default 0,            -- their pay, without the fee
  completion_date date,                                 -- the new one, where the change sets one
  created_at      timestamptz not null default clock_time(),
  constraint task_changes_slots check (slots >= 0),
  constraint task_changes_coins check (coins >= 0 and (coins = 0) = (slots = 0)),
  constraint task_changes_deadline check (kind <> 'extended' or completion_date is not null)
);
create index task_changes_of_task on task_changes (task_id, created_at);

-- A task that closed before has its own id as the reference of the refund.
insert into task_changes (id, task_id, kind, slots, coins, created_at)
select tasks.id, tasks.id, 'closed', coalesce(refund.amount, 0) / tasks.reward, coalesce(refund.amount, 0), tasks.closed_at
  from tasks left join ledger_transfers as refund on refund.kind = 'task_refunded' and refund.ref = tasks.id
 where tasks.closed_at is not null;

alter type closing_reason add value 'buyer';
alter type transfer_kind add value 'task_topped_up';
alter type transfer_kind add value 'task_reopened';
