-- Tasks. The pay of a slot (reward) is frozen when the task is posted. Coins for slots that nobody holds and for work
-- that waits for a decision lie in the task's escrow: its balance is reward * (slots_left + pending submissions),
-- always. Closing sets slots_left to 0 and refunds them.
create type closing_reason as enum ('deleted', 'deadline', 'buyer_left');

create table tasks (
  id              uuid primary key,                  -- time-ordered: newest is greatest
  buyer_id        uuid not null references users,
  title           text not null,
  detail          text not null,
  submission_info text not null,
  image_url       text not null default '',
  slots           int not null,
  slots_left      int not null,
  reward          bigint not null,
  completion_date date not null,
  closes_at       timestamptz not null,              -- the end of completion_date in the marketplace's time zone
  escrow_id       bigint not null references ledger_accounts,
  created_at      timestamptz not null default clock_time(),
  closed_at       timestamptz,
  closed_because  closing_reason,
  deleted_at      timestamptz,
  search          tsvector not null generated always as (to_tsvector('simple', left(title || ' ' || detail, 20000))) stored,
  constraint tasks_slots check (slots between 1 and 100000),
  constraint tasks_slots_left check (slots_left between 0 and slots),
  constraint tasks_reward check (reward between 1 and 1000000),
  constraint tasks_closed_has_no_slots check (closed_at is null or slots_left = 0),
  constraint tasks_closed_has_reason check ((closed_at is null) = (closed_because is null)),
  constraint tasks_deleted_is_closed check (deleted_at is null or closed_at is not null),
  constraint tasks_escrow unique (escrow_id)
) with (fillfactor = 85);
create index tasks_of_buyer on tasks (buyer_id, completion_date desc, id desc) where deleted_at is null;
create index tasks_listed on tasks (id desc) where deleted_at is null;
create index tasks_listed_by_pay on tasks (reward desc, id desc) where deleted_at is null;
create index tasks_listed_by_deadline on tasks (completion_date, id) where deleted_at is null;
create index tasks_open on tasks (id desc) where closed_at is null;
create index tasks_open_by_pay on tasks (reward desc, id desc) where closed_at is null;
create index tasks_open_by_deadline on tasks (completion_date, id) where closed_at is null;
create index tasks_open_by_slots on tasks (slots_left desc, id desc) where closed_at is null;
create index tasks_to_close on tasks (closes_at) where closed_at is null;
create index tasks_search on tasks using gin (search);
