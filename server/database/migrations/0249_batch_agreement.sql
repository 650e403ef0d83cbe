-- How far the answers to the items of batches agree (docs/decisions/0088-quality-of-batches.md).
-- Locks: batches, projects and users, for the moment in which foreign keys are added to new, empty tables.

-- What was computed last for a batch. `due`: answers were submitted or revised since. `questions` is one summary per closed
-- question, in the shape of server/batches/store-agreement.ts.
create table batch_agreement (
  batch_id    uuid primary key references batches on delete cascade,
  state       text not null default 'due',
  answers     int not null default 0,
  questions   jsonb not null default '[]',
  computed_at timestamptz,
  constraint batch_agreement_state check (state in ('due', 'computing', 'computed')),
  constraint batch_agreement_computed check ((state = 'computed') <= (computed_at is not null))
);
create index batch_agreement_due on batch_agreement (batch_id) where state <> 'computed';

-- The items with answers. `share` is the least share of a majority; null: no question has two answers yet. `questions` has a
-- list of numbers per closed question.
create table item_agreement (
  batch_id  uuid not null references batches on delete cascade,
  number    int not null,
  answers   int not null,
  share     real,
  questions jsonb not null,
  primary key (batch_id, number),
  constraint item_agreement_share check (share > 0 and share <= 1)
);
create index item_agreement_disagreeing on item_agreement (batch_id, number) where share < 1;

-- The work of a worker on a batch. `answers` are all that they submitted. `agreeing` of `compared` answers to items with other
-- answers are those that were estimated to be true. `error_rates` has a number per closed question, or null.
create table batch_workers (
  project_id  uuid not null references projects,
  worker_id   uuid not null references users,
  batch_id    uuid not null references batches on delete cascade,
  answers     int not null default 0,
  compared    int not null default 0,
  agreeing    int not null default 0,
  error_rates jsonb not null default '[]',
  primary key (project_id, worker_id, batch_id),
  constraint batch_workers_agreeing check (agreeing between 0 and compared)
);
create unique index batch_workers_of_batch on batch_workers (batch_id, worker_id);

-- Batches with answers of an earlier version.
insert into batch_agreement (batch_id) select id from batches where state = 'open';
