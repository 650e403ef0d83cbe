-- Locks: webhook_deliveries, for a moment; the columns have constant defaults.
-- A run claims a delivery before it sends it: `claim` counts the claims, and until `claimed_until` no other run sends it.
alter table webhook_deliveries add column claim int not null default 0, add column claimed_until timestamptz;
