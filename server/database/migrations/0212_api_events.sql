-- Events for users' own systems (docs/specification/webhooks.md), kept for 30 days. The relay of the outbox inserts them, one
-- relay at a time, so `seq` is the order of the commits. `object_id` is the row that an event is about.
create table api_events (
  id         uuid primary key default gen_random_uuid(),
  seq        bigint not null generated always as identity unique,
  user_id    uuid not null references users,
  type       text not null,
  object_id  uuid not null,
  payload    jsonb not null,
  created_at timestamptz not null
);
create index api_events_of_user on api_events (user_id, seq);
create index api_events_created on api_events (created_at);
