-- Payouts: the money side of withdrawals (docs/specification/payouts.md). A withdrawal is approved when a payout of it is
-- confirmed. Payouts go out in batches; "Payment Success" on one request makes a batch of one (`single`).
create type payout_batch_state as enum ('draft', 'checked', 'released', 'exported', 'settling', 'reconciled', 'cancelled');
create type payout_state as enum ('queued', 'sent', 'confirmed', 'failed', 'unknown', 'removed');
create type payout_source as enum ('admin', 'statement', 'provider');

create table payout_batches (
  id               uuid primary key,                -- time-ordered, but for single ones
  single           boolean not null default false,
  state            payout_batch_state not null default 'draft',
  payment_system   payment_system,                  -- null: several
  provider         text,                            -- null: paid by hand or by a file
  created_by       uuid references users,
  created_at       timestamptz not null default clock_time(),
  checked_by       uuid references users,
  checked_at       timestamptz,
  released_by      uuid references users,
  released_at      timestamptz,
  exported_at      timestamptz,
  settling_at      timestamptz,
  reconciled_at    timestamptz,
  cancelled_at     timestamptz,
  exchange_rate_id uuid,                            -- locked at release
  file_sha256      text,                            -- of the last exported file
  row_count        int,                             -- the totals at release; null before
  coins            bigint,
  cents            bigint,
  constraint payout_batches_released check (
    (released_at is not null) = (state in ('released', 'exported', 'settling', 'reconciled'))),
  constraint payout_batches_totals check ((released_at is null) = (row_count is null) and (row_count is null) = (cents is null)
    and (cents is null) = (coins is null))
);
create index payout_batches_newest on payout_batches (id) where not single;

create table payouts (
  id             uuid primary key,
  batch_id       uuid not null references payout_batches,
  withdrawal_id  uuid not null references withdrawals,
  attempt        int not null,
  reference      text not null,                     -- ours; a provider's invoice number, a statement's reference
  state          payout_state not null default 'queued',
  claimed_by     uuid references users,             -- the Admin who has it
  claimed_at     timestamptz not null default clock_time(),
  payment_system payment_system not null,           -- the destination as it was when the payout was made
  account_number text not null,
  holder_name    text not null default '',
  bank_name      text not null default '',
  branch         text not null default '',
  routing_number text not null default '',
  coins          bigint not null,
  cents          bigint not null,
  poisha         bigint,                            -- by the batch's exchange rate; null: paid in dollars
  fee_poisha     bigint,
  transaction_id text not null default '',          -- the bank's or wallet's
  failure        text not null default '',
  source         payout_source,                     -- what confirmed or failed it
  settled_by     uuid references users,
  sent_at        timestamptz,
  settled_at     timestamptz,
  constraint payouts_reference unique (reference),
  constraint payouts_attempt unique (withdrawal_id, attempt),
  constraint payouts_amounts check (coins > 0 and cents > 0 and attempt > 0 and poisha > 0 and fee_poisha >= 0),
  constraint payouts_sent check ((state in ('queued', 'removed')) = (sent_at is null)),
  constraint payouts_settled check ((state in ('confirmed', 'failed')) = (settled_at is not null and source is not null))
);
-- One live payout per withdrawal: the coins of a request never go out twice.
create unique index payouts_live on payouts (withdrawal_id) where state in ('queued', 'sent', 'unknown', 'confirmed');
create index payouts_of_batch on payouts (batch_id, withdrawal_id);
create index payouts_in_flight on payouts (sent_at, id) where state in ('sent', 'unknown');
create index payouts_by_transaction on payouts (transaction_id) where transaction_id <> '';

-- Withdrawals that were approved before: each has one confirmed payout in a batch of one, with the ids of the withdrawal.
insert into payout_batches (id, single, state, payment_system, created_by, created_at, released_by, released_at, reconciled_at,
                            row_count, coins, cents)
select id, true, 'reconciled', payment_system, decided_by, decided_at, decided_by, decided_at, decided_at, 1, coins, amount_cents
  from withdrawals where status = 'approved';
insert into payouts (id, batch_id, withdrawal_id, attempt, reference, state, claimed_by, claimed_at, payment_system, account_number,
                     coins, cents, source, settled_by, sent_at, settled_at)
select id, id, id, 1, 'TW' || upper(replace(id::text, '-', '')), 'confirmed', decided_by, decided_at, payment_system,
       account_number, coins, amount_cents, 'admin', decided_by, decided_at, decided_at
  from withdrawals where status = 'approved';
