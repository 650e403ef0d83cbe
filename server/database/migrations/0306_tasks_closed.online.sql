-- Closed tasks have no free slots: the list of all tasks by slots continues with them, newest first. The index that is dropped contains
-- the free slots, so that each slot taken wrote every index of its task.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently tasks_closed on tasks (id desc) where closed_at is not null and deleted_at is null;
drop index concurrently if exists tasks_listed_by_slots;
