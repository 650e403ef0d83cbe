-- Where events are delivered to (docs/specification/webhooks.md). Secrets are encrypted; the previous one signs as well until
-- `previous_until`. `failing_since` is the first failure after the last success.
create table webhook_endpoints (
  id              uuid primary key,
  user_id         uuid not null references users,
  name            text not null,
  url             text not null,
  events          text[] not null,
  state           text not null default 'active',
  paused_because  text,
  secret          bytea not null,
  previous_secret bytea,
  previous_until  timestamptz,
  failing_since   timestamptz,
  created_at      timestamptz not null default now(),
  constraint webhook_endpoints_name check (char_length(name) between 1 and 60),
  constraint webhook_endpoints_url check (char_length(url) between 1 and 2000),
  constraint webhook_endpoints_events check (cardinality(events) between 1 and 50 and array_position(events, null) is null),
  constraint webhook_endpoints_state check (state in ('active', 'paused', 'ended')),
  constraint webhook_endpoints_paused check (
    (state = 'paused') = (paused_because is not null) and paused_because in ('user', 'failures')),
  constraint webhook_endpoints_previous check ((previous_secret is null) = (previous_until is null))
);
create index webhook_endpoints_of_user on webhook_endpoints (user_id, id);
