-- The purchase that a client's Idempotency-Key created or found, so that the same key returns the same intent after it
-- was paid too.
create table purchase_keys (
  user_id     uuid not null references users,
  key         text not null,
  purchase_id uuid not null references purchases,
  created_at  timestamptz not null default clock_time(),
  primary key (user_id, key)
);
create index purchase_keys_by_age on purchase_keys (created_at);
