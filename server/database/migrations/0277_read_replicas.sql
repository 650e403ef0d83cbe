-- What reads from replicas need (docs/decisions/0094-read-replicas.md): who wrote a moment ago and therefore reads from the
-- primary, and tokens by which a replica shows that it has replayed this primary's changes. A crash or a failover empties the first
-- table, and no replica is used until it has replayed what was committed since.
-- Locks: none on existing tables.
create unlogged table recent_writes (
  user_id uuid primary key,
  until   timestamptz not null
) with (fillfactor = 50);

create table replica_tokens (
  token   uuid primary key,
  used_at timestamptz not null default now()
);
