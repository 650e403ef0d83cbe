-- Locks: nothing for writes; the index is built concurrently.
create index concurrently batches_to_raise on batches (id) where raising_workers > 0;
