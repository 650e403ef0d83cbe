-- Who can sign in. A person here becomes a user of the marketplace when they register (0003).
create table identities (
  id                uuid primary key,
  name              text not null,
  email             text not null,                  -- as typed
  email_key         text not null,                  -- as compared: trimmed, NFKC, lower-case, punycode
  password_hash     text,                           -- argon2id; null for people who only come through an issuer
  email_verified_at timestamptz,
  created_at        timestamptz not null default now(),
  constraint identities_email_key unique (email_key)
);

-- A signed-in browser. The cookie's value is kept only as its SHA-256.
create table sessions (
  id          uuid primary key,
  identity_id uuid not null references identities,
  secret_hash bytea not null,
  device      text not null default '',           -- as a person would name it: Firefox on Linux
  network     text not null default '',           -- where it was started from, as throttles count: IPv4, or IPv6 /64
  created_at  timestamptz not null default now(),
  seen_at     timestamptz not null default now(),
  expires_at  timestamptz not null,
  ended_at    timestamptz,
  constraint sessions_secret_hash unique (secret_hash)
);
create index sessions_of_identity on sessions (identity_id) where ended_at is null;
create index sessions_by_expiry on sessions (expires_at);

-- Keys that sign ID tokens; the private part is encrypted under AUTH_SECRET.
create table signing_keys (
  kid               text primary key,
  public_jwk        jsonb not null,
  private_encrypted bytea not null,
  created_at        timestamptz not null default now(),
  retired_at        timestamptz
);

-- Small facts an installation keeps about itself: the setup code's hash, the card provider's mode.
create table installation (
  name  text primary key,
  value jsonb not null
);
