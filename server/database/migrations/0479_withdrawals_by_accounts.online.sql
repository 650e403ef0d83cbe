-- Who asked for payouts to an account, by every number in it. Instances of the previous version compare account_key and read the table for
-- it, until they end.
-- Locks: nothing for writes; the indexes are built and dropped concurrently.
create index concurrently withdrawals_by_accounts on withdrawals using gin (account_keys(payment_system, account_number)) with (fastupdate = off);
drop index concurrently if exists withdrawals_by_account;
