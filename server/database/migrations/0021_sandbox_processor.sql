-- The sandbox card processor's own books: what a provider keeps on its side. Of a card only brand and last digits.
create table sandbox_intents (
  id              text primary key,
  client_secret   text not null,
  idempotency_key text not null,
  amount_cents    bigint not null,
  metadata        jsonb not null,
  status          text not null default 'requires_payment_method',
  card            text not null default '',         -- the published test card's name for what happens next
  card_brand      text not null default '',
  card_last4      text not null default '',
  last_error      jsonb,
  refunded_cents  bigint not null default 0,
  disputed_cents  bigint not null default 0,
  created_at      timestamptz not null default clock_time(),
  constraint sandbox_intents_secret unique (client_secret),
  constraint sandbox_intents_key unique (idempotency_key)
);
