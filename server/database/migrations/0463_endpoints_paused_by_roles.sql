-- Adds a cause of paused webhook endpoints: their user became an Admin (docs/specification/webhooks.md#deliveries). Pauses the active
-- endpoints of Admins.
-- Locks: webhook_endpoints exclusively for a moment. Rows are not read for the constraint: the one that is dropped has checked them.
alter table webhook_endpoints
  drop constraint webhook_endpoints_paused,
  add constraint webhook_endpoints_paused check (
    (state = 'paused') = (paused_because is not null) and paused_because in ('user', 'failures', 'password_reset', 'role')) not valid;
update webhook_endpoints set state = 'paused', paused_because = 'role'
 where state = 'active' and user_id in (select id from users where role = 'Admin');
