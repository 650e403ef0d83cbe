-- Locks: last_backup, for a moment; the table has one row.
-- When a backup was last restored into a temporary database and proved, which the metrics show.
alter table last_backup add column rehearsed_at timestamptz;
