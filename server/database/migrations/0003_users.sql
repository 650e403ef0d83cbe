-- People of the marketplace: an identity with a role and an account for coins.
create type user_role as enum ('Worker', 'Buyer', 'Admin');

create table users (
  id         uuid primary key references identities,
  name       text not null,
  email      text not null,
  email_key  text not null,
  image      text not null default '',
  role       user_role not null,
  wallet     bigint not null default 0,             -- shown, never spent (specification §9)
  account_id bigint not null references ledger_accounts,
  created_at timestamptz not null default clock_time(),
  deleted_at timestamptz,
  search     tsvector not null generated always as (to_tsvector('simple', name || ' ' || translate(email, '@.', '  '))) stored,
  constraint users_email_key unique (email_key),
  constraint users_account unique (account_id)
);
create index users_newest on users (id desc) where deleted_at is null;
create index users_by_role on users (role, id desc) where deleted_at is null;
create index users_search on users using gin (search);
