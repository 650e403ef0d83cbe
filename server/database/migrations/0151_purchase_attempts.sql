-- The attempt to create a purchase's intent. Each has its own idempotency key, because the provider stores errors under
-- a key too.
alter table purchases add column attempt int not null default 1;
