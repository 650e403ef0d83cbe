-- Adds the fingerprint of the card to unmatched payments: when one is credited, the limits of cards count it
-- (docs/specification/payments.md#card-limits). It is empty where it is unknown.
-- Locks: unmatched_payments exclusively, for a moment.
alter table unmatched_payments add column card_fingerprint text not null default '';
