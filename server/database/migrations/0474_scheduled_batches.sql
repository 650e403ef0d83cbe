-- When a checked batch is paid automatically, and when that last failed: its file is kept for some days from then
-- (docs/specification/projects.md#scheduled-payment).
-- Locks: batches, for a moment.
alter table batches add column post_at timestamptz, add column not_posted_at timestamptz;
