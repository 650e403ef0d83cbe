-- A deleted webhook endpoint has no user until a job has deleted its deliveries, of which it may have 100,000
-- (docs/decisions/0069-webhooks.md). A paused one may have deliveries with a time now; they are not sent, except by an instance
-- of the version before that still runs beside: about one per object.
-- Locks: webhook_endpoints exclusively for a moment.
alter table webhook_endpoints alter column user_id drop not null;
