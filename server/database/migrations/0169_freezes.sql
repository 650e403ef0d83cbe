-- Freezes of users and of withdrawal requests (docs/specification/risk.md#freezes). `response` is what the user says to it.
create type freeze_cause as enum ('admin', 'dispute', 'card');

create table freezes (
  id            uuid primary key default gen_random_uuid(),
  number        bigint generated always as identity,    -- the order of the lists
  user_id       uuid not null references users,
  withdrawal_id uuid references withdrawals,            -- of this user; null: the whole account is frozen
  cause         freeze_cause not null,
  reason        text not null,
  frozen_by     uuid references users,                  -- null: by the server
  frozen_at     timestamptz not null default clock_time(),
  response      text,
  responded_at  timestamptz,
  ended_by      uuid references users,                  -- null: by the server
  ended_at      timestamptz,
  end_reason    text not null default '',
  constraint freezes_by_admin check (frozen_by is not null or (cause <> 'admin' and withdrawal_id is null)),
  constraint freezes_responded check ((response is null) = (responded_at is null)),
  constraint freezes_ended check (ended_at is not null or (ended_by is null and end_reason = '')),
  constraint freezes_number unique (number)
);
create unique index freezes_live_of_user on freezes (user_id, cause) where ended_at is null and withdrawal_id is null;
create unique index freezes_live_of_withdrawal on freezes (withdrawal_id) where ended_at is null and withdrawal_id is not null;
create index freezes_live on freezes (number) where ended_at is null;
create index freezes_of_user on freezes (user_id, number);
