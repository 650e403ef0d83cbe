-- Qualifications that workers earn by answers to items with known answers (docs/decisions/0095-qualification-tests.md).
-- Locks: qualifications and qualified_workers, exclusively for a moment, while columns without a default are added and short
-- tables are checked; projects and users, for the moment in which foreign keys are added.

-- The project in whose batches workers earn a qualification: from `test_answers_min` answers to golden items on, of which
-- `test_percent_min` percent are right. Null: it is only granted.
alter table qualifications
  add column test_project uuid references projects,
  add column test_answers_min int,
  add column test_percent_min int,
  add constraint qualifications_test check (
    (test_project is null) = (test_answers_min is null) and (test_project is null) = (test_percent_min is null)
    and test_answers_min >= 1 and test_percent_min between 1 and 100);

-- The right answers, of those to golden items, with which a worker earned it. Null: the buyer granted it.
alter table qualified_workers
  add column earned_right int,
  add column earned_answers int,
  add constraint qualified_workers_earned check (
    (earned_right is null) = (earned_answers is null) and earned_right between 0 and earned_answers);

-- The workers from whom a buyer has revoked a qualification. They do not earn it until it is granted to them again.
create table revoked_qualifications (
  qualification_id uuid not null references qualifications on delete cascade,
  worker_id        uuid not null references users,
  created_at       timestamptz not null default clock_time(),
  primary key (qualification_id, worker_id)
);
create index revoked_qualifications_of_worker on revoked_qualifications (worker_id);
