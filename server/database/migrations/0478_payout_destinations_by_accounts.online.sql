-- Who keeps an account as a destination, by every number in it. Instances of the previous version compare account_key and read the table for
-- it, until they end.
-- Locks: nothing for writes; the indexes are built and dropped concurrently.
create index concurrently payout_destinations_by_accounts on payout_destinations using gin (account_keys(payment_system, account_number)) with (fastupdate = off);
drop index concurrently if exists payout_destinations_by_account;
