-- Locks: nothing for writes; the index is built concurrently.
create index concurrently batches_to_fund on batches (id) where state = 'funding';
