-- Adds the version of the evidence of a dispute, so that an Admin does not overwrite what another has saved meanwhile
-- (docs/specification/payments.md#evidence).
-- Locks: dispute_evidence exclusively, for a moment.
alter table dispute_evidence add column version int not null default 1;
