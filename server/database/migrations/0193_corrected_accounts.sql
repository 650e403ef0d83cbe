-- From when a request can be paid whose account number an Admin corrected to a new one (docs/specification/payouts.md#outcomes).
alter table withdrawals add column payable_at timestamptz;
