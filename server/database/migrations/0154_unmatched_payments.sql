-- Paid intents that credited nothing: their purchase was refused, or is not in this database (after a restore). Each is
-- credited or refunded by an Admin's decision.
create type unmatched_state as enum ('open', 'credited', 'refunding', 'refunded');
create type unmatched_cause as enum ('no_purchase', 'order_differs');

create table unmatched_payments (
  id              uuid primary key default gen_random_uuid(),
  intent_id       text not null,
  cause           unmatched_cause not null,
  mode            card_mode not null,
  purchase_id     uuid,                             -- as the intent says; it need not exist
  user_id         uuid references users,            -- as the intent says; null when there is no such user
  cents           bigint not null,                  -- received
  refunded_cents  bigint not null default 0,
  currency        text not null,
  card_brand      text not null default '',
  card_last4      text not null default '',
  paid_at         timestamptz not null,
  found_at        timestamptz not null default clock_time(),
  state           unmatched_state not null default 'open',
  refund_attempts int not null default 0,           -- each has its own idempotency key
  decided_at      timestamptz,
  decided_by      uuid references users,
  reason          text not null default '',
  constraint unmatched_payments_intent unique (intent_id),
  constraint unmatched_payments_cents check (cents >= 0 and refunded_cents between 0 and cents),
  constraint unmatched_payments_decided check ((state = 'open') = (decided_at is null))
);
create index unmatched_payments_undecided on unmatched_payments (found_at, id) where state in ('open', 'refunding');

-- Purchases that were refused before this table.
insert into unmatched_payments (intent_id, cause, mode, purchase_id, user_id, cents, currency, paid_at)
select intent_id, 'order_differs', mode, id, user_id, amount_cents, 'usd', created_at
  from purchases where state = 'refused' and intent_id is not null;
