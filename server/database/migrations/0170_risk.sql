-- The risk of withdrawal requests (docs/specification/risk.md#score).

-- The account behind a typed number: a mobile number also where another system adds a check digit, the digits of a bank
-- account, else the letters and digits of the text.
alter table withdrawals add column destination_key text not null generated always as (
  case when payment_system in ('Bkash', 'Nagad', 'Rocket') then left(account_number, 11)
       else coalesce(substring(regexp_replace(account_number, '[ .-]', '', 'g') from '[0-9]{8,17}'),
                     lower(regexp_replace(account_number, '[^[:alnum:]]', '', 'g'))) end) stored;
create index withdrawals_by_destination on withdrawals (destination_key, worker_id);

create index payout_destinations_by_holder on payout_destinations (lower(holder_name));

-- How many users a network has.
create index sessions_by_network on sessions (network, identity_id) where network <> '';

-- A user whose coins came to a worker: directly (hop 1) or through the work of others (hop 2 and 3), with the parts that
-- began as bonus and as purchase. Hop 0 is the worker.
create type coin_payer as (user_id uuid, hop int, coins numeric, bonus numeric, bought numeric);

-- The latest assessment of a request. `reasons` has those of contract/risk.ts, `facts` numbers without points.
create table risk_assessments (
  withdrawal_id uuid primary key references withdrawals,
  score         int not null,
  reasons       jsonb not null,
  facts         jsonb not null,
  assessed_at   timestamptz not null default clock_time(),
  constraint risk_assessments_score check (score between 0 and 100)
);

-- An Admin's decision that a request may be paid in spite of its score.
create table risk_reviews (
  id            uuid primary key default gen_random_uuid(),
  withdrawal_id uuid not null references withdrawals,
  score         int not null,
  reason        text not null,
  reviewed_by   uuid not null references users,
  reviewed_at   timestamptz not null default clock_time()
);
create index risk_reviews_of_withdrawal on risk_reviews (withdrawal_id, reviewed_at desc);
