-- When a review passed to a second reviewer, and when a rejection that was reversed later had become final: the reversal replaces the time
-- of the submission's decision.
-- Locks: reviews, and submissions against writes, for a moment.
alter table reviews add column second_round_at timestamptz;
create table reversals (
  submission_id uuid primary key references submissions,
  final_at      timestamptz not null,
  final_by      decider not null
);
