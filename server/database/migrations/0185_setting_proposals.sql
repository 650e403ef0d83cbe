-- Changes that weaken the rules which make a second Admin necessary (docs/decisions/0048-two-admins-for-their-own-rules.md).
-- They take effect when another Admin confirms them.
create type setting_proposal_state as enum ('waiting', 'confirmed', 'withdrawn', 'lapsed');

create table setting_proposals (
  id          uuid primary key default gen_random_uuid(),
  name        text not null references operator_settings,
  version     int not null,                          -- of the setting, which it is based on
  value       jsonb not null,
  reason      text not null,
  state       setting_proposal_state not null default 'waiting',
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_time(),
  due_at      timestamptz,                           -- when it takes effect while its proposer is the only Admin
  decided_by  uuid references users,                 -- null: by the server
  decided_at  timestamptz,
  constraint setting_proposals_decided check ((state = 'waiting') = (decided_at is null)),
  constraint setting_proposals_waiting check (state <> 'waiting' or decided_by is null),
  -- Another Admin confirms it, or its waiting time is over.
  constraint setting_proposals_confirmed check (state <> 'confirmed' or case when decided_by is null
    then coalesce(due_at <= decided_at, false) else decided_by <> proposed_by end)
);
create unique index setting_proposals_one_waiting on setting_proposals (name) where state = 'waiting';

alter table operator_setting_changes add column confirmed_by uuid references users;
