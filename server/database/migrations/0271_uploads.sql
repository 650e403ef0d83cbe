-- Locks: identities, for a moment, for the reference from the new, empty table.
-- Pictures that are uploaded in parts. A complete one keeps the reply that its picture got, so that a repetition returns
-- the same.
create table uploads (
  id         uuid primary key default gen_random_uuid(),
  owner      uuid not null references identities on delete cascade,
  sha256     text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size       int not null check (size between 1 and 10485760),
  received   int not null default 0,
  reply      jsonb,
  created_at timestamptz not null default clock_time(),
  constraint uploads_received check (received between 0 and size),
  constraint uploads_complete check (reply is null or received = size),
  constraint uploads_of_file unique (owner, sha256, size)
);
create index uploads_unfinished on uploads (owner, created_at desc, id) where reply is null;
create index uploads_by_age on uploads (created_at);

create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  start     int not null,
  bytes     bytea not null check (length(bytes) between 1 and 65536),
  primary key (upload_id, start)
);
