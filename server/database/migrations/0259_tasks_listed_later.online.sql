-- The tasks that are not in lists from the beginning, for favourites and for Admins.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently tasks_listed_later on tasks (buyer_id, listed_from) where listed_from > '-infinity';
