-- Appeals against rejections, and the decisions of neutral reviewers (docs/specification/appeals.md).
alter table users add column is_reviewer boolean not null default false;

-- What the worker says against a rejection, and what the buyer answers. The submission's status has the outcome.
create table appeals (
  submission_id uuid primary key references submissions,
  worker_id     uuid not null references users,
  text          text not null,
  pictures      text[] not null default '{}',
  created_at    timestamptz not null default clock_time(),
  defence       text,
  defended_at   timestamptz
);
create index appeals_of_worker on appeals (worker_id, created_at desc);

create type review_decision as enum ('upheld', 'overturned');

-- One row each time a submission goes to a reviewer. `held`: the rejection is reviewed before it counts.
create table reviews (
  id            bigint generated always as identity primary key,
  submission_id uuid not null references submissions,
  held          boolean not null,
  opened_at     timestamptz not null default clock_time(),
  round         smallint not null default 1,             -- the second begins when the first reviewer does not decide in time
  reviewer_id   uuid references users,                   -- null while nobody can review it
  assigned_at   timestamptz,
  passed_over   uuid[] not null default '{}',            -- reviewers who did not decide in time
  decision      review_decision,
  reason        text not null default '',
  decided_at    timestamptz,
  constraint reviews_decided check ((decision is null) = (decided_at is null) and (decision is null or reviewer_id is not null)),
  constraint reviews_round check (round in (1, 2))
);
create unique index reviews_one_open on reviews (submission_id) where decided_at is null;
create index reviews_of_reviewer on reviews (reviewer_id, submission_id) where decided_at is null;
create index reviews_of_submission on reviews (submission_id, id);
create index reviews_by_decision on reviews (decided_at) where decided_at is not null;
