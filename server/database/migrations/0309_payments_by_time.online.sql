-- Finds whether somebody bought coins by card a short time ago: without such a purchase no coins rest (server/withdrawals/card-coins.sql).
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently payments_by_time on payments (paid_at);
