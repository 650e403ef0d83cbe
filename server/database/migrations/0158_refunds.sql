-- Refunds of card payments by Admins (docs/specification/payments.md#refunds-by-admins).
create type refund_state as enum ('waiting', 'refunding', 'refunded', 'failed', 'cancelled');

create table payment_refunds (
  id           uuid primary key,
  payment_id   uuid not null references payments,
  cents        bigint not null,
  reason       text not null,
  state        refund_state not null,               -- 'waiting': for a second Admin
  needs_second boolean not null,
  requested_by uuid not null references users,
  requested_at timestamptz not null default clock_time(),
  decided_by   uuid references users,               -- who approved or cancelled it
  decided_at   timestamptz,
  attempts     int not null default 0,              -- each has its own idempotency key
  finished_at  timestamptz,
  constraint payment_refunds_cents check (cents > 0),
  constraint payment_refunds_decided check ((decided_by is null) = (decided_at is null)),
  constraint payment_refunds_finished check ((state in ('refunded', 'failed', 'cancelled')) = (finished_at is not null)),
  -- The second Admin is another one, and is there before the money is sent.
  constraint payment_refunds_second check (not needs_second or state in ('waiting', 'cancelled')
                                           or (decided_by is not null and decided_by <> requested_by))
);
create unique index payment_refunds_one_open on payment_refunds (payment_id) where state in ('waiting', 'refunding');
create index payment_refunds_of_payment on payment_refunds (payment_id, requested_at);
create index payment_refunds_by_age on payment_refunds (requested_at);

-- The sandbox's refunds: one per idempotency key.
create table sandbox_refunds (
  key        text primary key,
  intent_id  text not null references sandbox_intents,
  refund_id  text not null,
  cents      bigint not null,
  created_at timestamptz not null default clock_time()
);
create index sandbox_refunds_of_intent on sandbox_refunds (intent_id);
