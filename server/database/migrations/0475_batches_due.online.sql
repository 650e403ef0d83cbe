-- Locks: nothing for writes; the index is built concurrently.
create index concurrently batches_due on batches (post_at) where state = 'checked';
