-- Coins that a buyer gives for approved work on top of its reward (docs/specification/submissions.md#bonus).
alter type transfer_kind add value 'bonus_paid';

create table bonuses (
  id            uuid primary key,
  submission_id uuid not null references submissions,
  buyer_id      uuid not null references users,
  worker_id     uuid not null references users,
  coins         bigint not null,
  message       text not null,
  created_at    timestamptz not null default clock_time(),
  constraint bonuses_coins check (coins > 0)
);
create index bonuses_of_submission on bonuses (submission_id, id);
create index bonuses_of_worker on bonuses (worker_id, id) include (coins);
create index bonuses_of_buyer on bonuses (buyer_id, id) include (coins);
