-- Taka for one dollar, as an Admin entered them. The rows are history: the newest entry is the current rate until it
-- expires.
create table exchange_rates (
  id          uuid primary key,
  currency    text not null default 'BDT',
  rate        numeric(12, 6) not null,
  source      text not null,
  entered_by  uuid not null references users,
  entered_at  timestamptz not null default clock_time(),
  expires_at  timestamptz not null,
  constraint exchange_rates_currency check (currency = 'BDT'),
  -- The limit keeps every amount in poisha below 2^53.
  constraint exchange_rates_rate check (rate > 0 and rate <= 1000),
  constraint exchange_rates_source check (source <> ''),
  constraint exchange_rates_expiry check (expires_at > entered_at and expires_at <= entered_at + interval '31 days')
);
create index exchange_rates_newest on exchange_rates (entered_at desc, id desc);
