-- Adds a cause of paused webhook endpoints: a password reset (docs/specification/webhooks.md#deliveries).
-- Locks: webhook_endpoints exclusively for a moment. Rows are not read: the constraint that is dropped has checked them.
alter table webhook_endpoints
  drop constraint webhook_endpoints_paused,
  add constraint webhook_endpoints_paused check (
    (state = 'paused') = (paused_because is not null) and paused_because in ('user', 'failures', 'password_reset')) not valid;
