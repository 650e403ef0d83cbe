-- Who asked for payouts to an account, however it is written. Instances of the previous version compare destination_key and read the table
-- for it, until they end.
-- Locks: nothing for writes; the indexes are built and dropped concurrently.
create index concurrently withdrawals_by_account on withdrawals (account_key(payment_system, account_number), worker_id);
drop index concurrently if exists withdrawals_by_destination;
