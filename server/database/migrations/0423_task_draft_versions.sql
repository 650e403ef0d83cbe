-- The version of a draft's fields rises with every change of them, so that a change of another device is not overwritten
-- (docs/decisions/0087-drafts-of-tasks.md). The version of the server before, which may still run beside, does not raise it.
-- Locks: task_drafts, for a moment.
alter table task_drafts add column version int not null default 1;
