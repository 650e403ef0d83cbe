-- When the session's user last proved their identity (docs/specification/identity.md#step-up). Sessions from before have
-- no proof that counts: their users confirm their password once.
alter table sessions add column proved_at timestamptz not null default '-infinity';
alter table sessions alter column proved_at set default now();
