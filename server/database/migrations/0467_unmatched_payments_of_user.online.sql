-- The unmatched payments of a user, for their freezes.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently unmatched_payments_of_user on unmatched_payments (user_id) where user_id is not null;
