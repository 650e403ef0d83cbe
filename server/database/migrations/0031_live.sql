-- What live pages are told, in one order for everybody. The relay numbers events while it holds the row of live_head,
-- so that a lower number is never committed after a higher one and a reader misses nothing. Kept for an hour for pages
-- that come back; a crash of the database may empty it, and pages then read everything anew.
create unlogged table live_events (
  seq        bigint primary key,
  user_id    uuid,                                  -- null: for everybody who watches tasks
  body       jsonb not null,
  created_at timestamptz not null default now()
);
create index live_events_of_user on live_events (user_id, seq);

create table live_head (
  only_row boolean primary key default true check (only_row),
  seq      bigint not null
);
insert into live_head (seq) values (0);

-- Which optional mails a person wants; who has no row wants all.
create table mail_preferences (
  user_id       uuid primary key references users,
  work_received boolean not null default true,
  work_decided  boolean not null default true,
  payouts       boolean not null default true,
  changed_at    timestamptz not null default clock_time()
);
