-- Adds the numbers of the receipts of payouts by the sandbox, which move no money (docs/specification/receipts.md#receipt-types).
-- Locks: none. Receipts that were issued before keep their numbers.
insert into receipt_series (series) values ('TEST-P');
