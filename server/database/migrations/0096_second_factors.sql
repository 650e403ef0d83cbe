-- Authenticator apps (TOTP). The secret is encrypted under AUTH_SECRET.
create table totp_secrets (
  id               uuid primary key,
  identity_id      uuid not null references identities,
  secret_encrypted bytea not null,
  last_step        bigint,                            -- the time step of the last accepted code: no code is accepted twice
  created_at       timestamptz not null default now(),
  confirmed_at     timestamptz,                       -- null until the first code is entered
  used_at          timestamptz
);
create index totp_secrets_of_identity on totp_secrets (identity_id);

-- Passkeys and security keys. Only public keys are stored.
create table webauthn_credentials (
  id            uuid primary key,
  identity_id   uuid not null references identities,
  credential_id text not null,                        -- the authenticator's own id, base64url
  public_key    bytea not null,
  sign_count    bigint not null,                      -- the authenticator's counter; 0 where it has none
  transports    text[] not null default '{}',
  name          text not null,
  created_at    timestamptz not null default now(),
  used_at       timestamptz,
  constraint webauthn_credentials_credential_id unique (credential_id)
);
create index webauthn_credentials_of_identity on webauthn_credentials (identity_id);

-- Unused recovery codes, as SHA-256 of identity and code. A code has 80 random bits.
create table recovery_codes (
  identity_id uuid not null references identities,
  hash        bytea not null,
  created_at  timestamptz not null default now(),
  primary key (identity_id, hash)
);

-- Sign-ins whose password or issuer was accepted and whose second factor is missing.
create table pending_sign_ins (
  secret_hash         bytea primary key,
  identity_id         uuid not null references identities,
  credentials_version int not null,
  method              text not null,                  -- how the sign-in began, for the security log
  expires_at          timestamptz not null
);
create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);

-- Challenges of WebAuthn ceremonies in progress. Each is accepted once.
create table webauthn_challenges (
  challenge   text primary key,
  purpose     text not null,
  identity_id uuid references identities,             -- null for a sign-in without a password
  expires_at  timestamptz not null,
  constraint webauthn_challenges_purpose check (purpose in ('register', 'second-factor', 'sign-in', 'step-up'))
);
create index webauthn_challenges_by_expiry on webauthn_challenges (expires_at);

create view second_factors as
  select id, identity_id, 'authenticator' as kind, 'Authenticator app' as name, confirmed_at as created_at, used_at
    from totp_secrets where confirmed_at is not null
  union all
  select id, identity_id, 'passkey', name, created_at, used_at from webauthn_credentials;
