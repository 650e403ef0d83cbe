-- Who an identity is at an OpenID issuer. The subject names a person there for ever; the address may change.
create table identity_links (
  issuer      text not null,
  subject     text not null,
  identity_id uuid not null references identities,
  created_at  timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identity_links_of_identity on identity_links (identity_id);

-- What a link in a mail carries, as its SHA-256: good once, for a short time, for the address it was sent to.
create table identity_tokens (
  hash        bytea primary key,
  identity_id uuid not null references identities,
  purpose     text not null,
  email       text not null,
  email_key   text not null,
  expires_at  timestamptz not null,
  created_at  timestamptz not null default now(),
  constraint identity_tokens_purpose check (purpose in ('verify-email', 'change-email', 'reset-password'))
);
create index identity_tokens_of_identity on identity_tokens (identity_id);
create index identity_tokens_by_expiry on identity_tokens (expires_at);

-- A sign-in that left for an issuer and has not come back. Bound to the browser that left, and good once.
create table openid_attempts (
  state_hash    bytea primary key,
  browser_hash  bytea not null,
  issuer_id     text not null,
  nonce         text not null,
  code_verifier text not null,
  return_to     text not null,
  expires_at    timestamptz not null
);
create index openid_attempts_by_expiry on openid_attempts (expires_at);

-- ID tokens of an outside issuer count from here on; what is signed out everywhere stays out.
alter table identities add column issuer_tokens_from timestamptz not null default '-infinity';
