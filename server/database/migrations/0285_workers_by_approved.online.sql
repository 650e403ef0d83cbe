-- The public list of workers by approved work.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently workers_by_approved on worker_records (approved, worker_id);
