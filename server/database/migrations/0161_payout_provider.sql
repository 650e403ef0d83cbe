-- Payouts by a provider's API (server/payouts/provider.ts): when a payout was given to it.
alter table payouts add column submitted_at timestamptz;
create index payouts_to_submit on payouts (sent_at, id) where state = 'sent' and submitted_at is null;
create index payouts_to_query on payouts (submitted_at, id) where state in ('sent', 'unknown') and submitted_at is not null;

-- What the sandbox provider has accepted. Its rows are the provider's, as those of a real one are in its own database.
create table sandbox_payouts (
  reference      text primary key,
  account_number text not null,
  cents          bigint not null,
  queries        int not null default 0,
  created_at     timestamptz not null default clock_time()
);
