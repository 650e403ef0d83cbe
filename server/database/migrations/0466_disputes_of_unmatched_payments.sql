-- Adds fraud warnings and disputes to unmatched payments. `disputes` is as in record_disputes; `revision` counts the changes, by which
-- an old response of the provider is recognised; `contained_at` is when the buyer was frozen for an open dispute.
-- Locks: unmatched_payments exclusively, for a moment.
alter table unmatched_payments
  add column fraud_warning_at timestamptz,
  add column disputes jsonb not null default '[]',
  add column disputed_cents bigint not null default 0,
  add column is_disputed boolean not null default false,
  add column contained_at timestamptz,
  add column revision bigint not null default 0;
