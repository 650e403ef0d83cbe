-- Finds all tasks of a buyer, or the open ones. The index that is dropped contains the free slots, so that each slot taken wrote every
-- index of its task.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently tasks_of_buyer_by_closing on tasks (buyer_id, closed_at);
drop index concurrently if exists tasks_ever_of_buyer;
