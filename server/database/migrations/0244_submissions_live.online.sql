-- One submission that was never rejected per worker and task, or per item. Serves queries by task as the index that it replaces.
-- Locks: nothing for writes; the indexes are built and dropped concurrently.
create unique index concurrently submissions_live on submissions (task_id, worker_id, item_number) nulls not distinct where rejected_at is null;
drop index concurrently if exists submissions_one_live;
