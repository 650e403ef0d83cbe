-- Who keeps an account as a destination, however it is written. Instances of the previous version compare destination_key and read the
-- table for it, until they end.
-- Locks: nothing for writes; the indexes are built and dropped concurrently.
create index concurrently payout_destinations_by_account on payout_destinations (account_key(payment_system, account_number), user_id);
drop index concurrently if exists payout_destinations_by_key;
