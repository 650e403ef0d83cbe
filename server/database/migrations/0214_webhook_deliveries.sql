-- An event for an endpoint (docs/specification/webhooks.md). `due_at` is the time of the next attempt. It is null for a delivery
-- that waits for an earlier one of the same object, and for all of an endpoint that is not active. `attempts` are those
-- since the last replay.
create table webhook_deliveries (
  id          uuid primary key default gen_random_uuid(),
  seq         bigint not null generated always as identity unique,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id    uuid not null,
  type        text not null,
  object_id   uuid not null,
  payload     jsonb not null,
  event_at    timestamptz not null,
  state       text not null default 'pending',
  attempts    int not null default 0,
  due_at      timestamptz,
  created_at  timestamptz not null default now(),
  constraint webhook_deliveries_state check (state in ('pending', 'delivered', 'failed')),
  constraint webhook_deliveries_due check (due_at is null or state = 'pending'),
  constraint webhook_deliveries_once unique (endpoint_id, event_id)
);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, seq);
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;
create index webhook_deliveries_due_of_endpoint on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, object_id, seq) where state = 'pending';
create index webhook_deliveries_created on webhook_deliveries (created_at);

-- What the receiver responded to an attempt: the status and the first 2 kB of the body, or the reason why there was no response.
create table webhook_attempts (
  id          bigint primary key generated always as identity,
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  at          timestamptz not null default now(),
  status      int,
  error       text,
  body        text not null,
  duration_ms int not null,
  constraint webhook_attempts_outcome check ((status is null) <> (error is null)),
  constraint webhook_attempts_body check (octet_length(body) <= 6144)
);
create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, id);
