-- Keys for systems of users (docs/specification/api-keys.md). The secret is stored as its SHA-256 hash; `prefix` is its
-- beginning, which screens show. No network means any. Times are those of sessions, not of the marketplace's clock.
create table api_keys (
  id                uuid primary key,
  user_id           uuid not null references users,
  name              text not null,
  prefix            text not null,
  secret_hash       bytea not null unique,
  scopes            text[] not null,
  networks          cidr[] not null default '{}',
  created_at        timestamptz not null default now(),
  expires_at        timestamptz not null,
  revoked_at        timestamptz,
  last_used_at      timestamptz,
  last_used_network text,
  constraint api_keys_name check (char_length(name) between 1 and 60),
  constraint api_keys_prefix check (prefix ~ '^tw_[A-Za-z0-9_-]{6}$'),
  constraint api_keys_hash check (octet_length(secret_hash) = 32),
  constraint api_keys_scopes check (
    cardinality(scopes) > 0 and array_position(scopes, null) is null
    and scopes <@ array['tasks', 'review', 'payments:read', 'account:read', 'events']),
  constraint api_keys_networks check (cardinality(networks) <= 10 and array_position(networks, null) is null),
  constraint api_keys_expiry check (expires_at > created_at and expires_at <= created_at + interval '366 days')
);
create index api_keys_of_user on api_keys (user_id, id desc);

-- What a key did: the requests of a minute by operation and status, with the last network. Kept for 30 days.
create table api_key_uses (
  key_id    uuid not null references api_keys on delete cascade,
  minute    timestamptz not null,
  operation text not null,
  status    smallint not null,
  requests  int not null,
  network   text not null,
  constraint api_key_uses_requests check (requests > 0),
  primary key (key_id, minute, operation, status)
);
create index api_key_uses_minute on api_key_uses (minute);
