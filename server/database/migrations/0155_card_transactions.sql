-- The balance of the account at the card processor, as the processor reports it: charges, refunds, disputes, fees, payouts.
create table card_transactions (
  id           text primary key,                    -- the provider's
  type         text not null,                       -- the provider's words
  category     text not null,
  source_id    text,
  intent_id    text,                                -- of the charge, refund or dispute
  cents        bigint not null,                     -- before the fee; negative: money out
  fee_cents    bigint not null,
  net_cents    bigint not null,
  currency     text not null,
  created_at   timestamptz not null,
  available_at timestamptz not null,
  constraint card_transactions_net check (net_cents = cents - fee_cents)
);
create index card_transactions_by_time on card_transactions (created_at, id);
create index card_transactions_of_intent on card_transactions (intent_id) where intent_id is not null;

-- Differences between the provider's balance and our payments.
create table card_cases (
  id             uuid primary key default gen_random_uuid(),
  kind           text not null,
  intent_id      text not null,
  provider_cents bigint not null,
  our_cents      bigint not null,
  opened_at      timestamptz not null default clock_time(),
  resolved_at    timestamptz,
  resolved_by    uuid references users,             -- null: the difference disappeared
  note           text not null default '',
  constraint card_cases_once unique (kind, intent_id)
);
create index card_cases_open on card_cases (opened_at) where resolved_at is null;
