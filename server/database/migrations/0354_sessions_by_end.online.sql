-- Finds the sessions that ended by signing out and are due for deletion (server/identity/purge-expired.ts).
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently sessions_by_end on sessions (ended_at) where ended_at is not null;
