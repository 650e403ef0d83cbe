-- Payouts. The coins leave the spendable balance for the request's own hold when it is made.
create type withdrawal_status as enum ('pending', 'approved', 'declined', 'cancelled');
create type payment_system as enum ('Bkash', 'Rocket', 'Nagad', 'Bank', 'Other');

create table withdrawals (
  id             uuid primary key,                  -- time-ordered
  worker_id      uuid not null references users,
  coins          bigint not null,
  amount_cents   bigint not null,
  payment_system payment_system not null,
  account_number text not null,
  status         withdrawal_status not null default 'pending',
  reason         text not null default '',
  hold_id        bigint not null references ledger_accounts,
  requested_on   date not null,
  created_at     timestamptz not null default clock_time(),
  decided_at     timestamptz,
  decided_by     uuid references users,
  constraint withdrawals_coins check (coins >= 200),
  constraint withdrawals_amount check (amount_cents = coins * 5),
  constraint withdrawals_decided check ((status = 'pending') = (decided_at is null)),
  constraint withdrawals_hold unique (hold_id)
);
create index withdrawals_of_worker on withdrawals (worker_id, id desc);
create index withdrawals_by_status on withdrawals (status, id);
