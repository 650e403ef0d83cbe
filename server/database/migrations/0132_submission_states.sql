-- Rejections that are not final at once, and revisions (docs/specification/submissions.md#states). A rejected submission
-- of an earlier version is final. `due_at` is the deadline of the current state; it was the review deadline before.
alter type submission_status add value 'revision_requested';
alter type submission_status add value 'rejection_open';
alter type submission_status add value 'appealed';
alter type submission_status add value 'in_review';

alter type decider add value 'worker';
alter type decider add value 'concession';
alter type decider add value 'silence';
alter type decider add value 'reviewer';
alter type decider add value 'no_reviewer';
alter type decider add value 'reversal';

alter type transfer_kind add value 'slot_reopened';
alter type transfer_kind add value 'reversal_funded';

create type rejection_category as enum ('instructions', 'incomplete', 'wrong', 'copied', 'duplicate', 'unusable');

alter table submissions rename column review_by to due_at;
alter table submissions
  add column state_since timestamptz,                    -- when the current state began; null: when it was submitted
  add column rejected_at timestamptz,                    -- when the buyer rejected it, also where a reviewer overturned that
  add column category rejection_category,
  add column requirement text not null default '',       -- the requirement that the work fails
  add column slot_reopened boolean not null default false; -- the buyer paid for another slot during the dispute

update submissions set rejected_at = decided_at where status = 'rejected';

alter table submissions drop constraint submissions_decided;
alter table submissions add constraint submissions_decided
  check ((status in ('approved', 'rejected')) = (decided_at is not null and decided_by is not null));

-- One submission per worker and task besides rejected ones.
drop index submissions_one_live;
create unique index submissions_one_live on submissions (task_id, worker_id) where rejected_at is null;
drop index submissions_pending_of_task;
create index submissions_not_final_of_task on submissions (task_id) where status not in ('approved', 'rejected');
drop index submissions_to_approve;
create index submissions_due on submissions (due_at) where status not in ('approved', 'rejected');
drop index submissions_to_remind;
create index submissions_to_remind on submissions (due_at) where status not in ('approved', 'rejected') and reminded_at is null;
-- Rejections that are not final: a small part of the table.
create index submissions_disputed on submissions (due_at) where rejected_at is not null and status not in ('approved', 'rejected');

-- A buyer asks once to revise a submission. `text_before` is the work as it was handed in first.
create table submission_revisions (
  submission_id uuid primary key references submissions,
  request       text not null,
  requested_at  timestamptz not null default clock_time(),
  text_before   text not null,
  revised_at    timestamptz
);

-- Functions that have a successor of another name.
drop function if exists approve_due_submission(uuid);
drop function if exists reject_submission(uuid, uuid, text);
