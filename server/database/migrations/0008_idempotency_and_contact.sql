-- What a keyed write answered, so that the same attempt again answers the same and does nothing (decisions.md §1).
create table idempotency_keys (
  user_id    uuid not null,
  key        text not null,
  call       text not null,                         -- method and path
  body_hash  bytea not null,
  status     int,
  reply      jsonb,
  created_at timestamptz not null default clock_time(),
  primary key (user_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table contact_messages (
  id          uuid primary key,
  name        text not null,
  email       text not null,
  subject     text not null,
  message     text not null,
  created_at  timestamptz not null default clock_time(),
  answered_at timestamptz
);
