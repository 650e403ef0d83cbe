-- Disputes of card payments, as the provider last reported them. `withheld_cents` is what the buyer's coins were reduced
-- for: a dispute whose state neither withholds nor releases keeps what it had.
create table payment_disputes (
  id             text primary key,                  -- the provider's
  payment_id     uuid not null references payments,
  cents          bigint not null,
  withheld_cents bigint not null,
  status         text not null,                     -- the provider's word
  status_known   boolean not null,
  reason         text not null,                     -- the provider's word
  respond_by     timestamptz,
  opened_at      timestamptz not null,
  revision       bigint not null default 1,         -- grows with each change, so that an old response is recognised
  updated_at     timestamptz not null default clock_time(),
  constraint payment_disputes_cents check (withheld_cents between 0 and cents)
);
create index payment_disputes_of_payment on payment_disputes (payment_id);

alter table sandbox_intents add column dispute_status text;
