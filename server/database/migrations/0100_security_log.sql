-- Events of sign-in and access (contract/security-log.ts): append-only, deleted after 400 days
-- (docs/decisions/0027-security-log.md). Without foreign keys: a log outlives what it describes.
create table security_log (
  id          bigint generated always as identity primary key,
  time        timestamptz not null default now(),
  kind        text not null,
  identity_id uuid,                               -- whose account; null for an unknown email
  actor_id    uuid,                               -- the Admin who did it; null for the account's own user
  email_hash  bytea,                              -- HMAC-SHA-256 of the email key, where no identity has this email
  network     text not null,                      -- as in sessions: IPv4 address, or IPv6 /64
  device      text not null,
  params      jsonb not null default '{}'
);
create index security_log_of_identity on security_log (identity_id, id);
create index security_log_of_actor on security_log (actor_id, id) where actor_id is not null;
create index security_log_of_email on security_log (email_hash, id) where email_hash is not null;
create index security_log_of_kind on security_log (kind, id);
create index security_log_by_time on security_log (time);
