-- Finds the young card purchases of a user, however many older ones there are (server/withdrawals/card-coins.sql).
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently payments_of_user_by_time on payments (user_id, paid_at);
