-- The answers that a worker revised, whose pictures are kept like those of the present ones.
-- Locks: submission_revisions, for a moment.
alter table submission_revisions add column answers_before jsonb;
