-- Notifications that one statement made: the relay takes them together, so that each of their users gets one email
-- (docs/decisions/0076-one-email-per-approval-of-many.md). A table of its own, because relays of the previous version would take
-- such a row from the outbox for an empty one.
-- Locks: none on existing tables.
create table outbox_groups (
  id               bigint generated always as identity primary key,
  notification_ids bigint[] not null,
  size             int not null generated always as (cardinality(notification_ids)) stored,
  created_at       timestamptz not null default clock_time(),
  constraint outbox_groups_not_empty check (size > 0)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
