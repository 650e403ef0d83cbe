-- The search index of open tasks with buckets of time beside the words (server/tasks/newest-matching.ts). It finds words
-- alone too, as the index does that it replaces. The list of recent changes that every search reads is kept short.
-- Locks: tasks against other changes of its schema, while the index is built; reads and writes go on.
create index concurrently tasks_search_open_by_time on tasks using gin (
  (array[left(id::text, 4), left(id::text, 5), left(id::text, 6), left(id::text, 7)]), search)
  with (gin_pending_list_limit = 256) where closed_at is null;
drop index concurrently if exists tasks_search_open;
