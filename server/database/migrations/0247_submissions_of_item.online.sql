-- The work on the items of a batch in their order, each item once per worker.
-- Locks: nothing for writes; the index is built concurrently.
create unique index concurrently submissions_of_item on submissions (task_id, item_number, worker_id) where item_number is not null;
