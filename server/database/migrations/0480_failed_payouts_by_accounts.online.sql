-- To whom an account was given that an Admin corrected after a failed payout: the request has the new one.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently failed_payouts_by_accounts on payouts using gin (account_keys(payment_system, account_number)) with (fastupdate = off) where state = 'failed';
