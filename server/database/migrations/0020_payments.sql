-- Buying coins by card. A purchase is a person's wish to buy one package, written down before the provider is asked for
-- anything; a payment is what became of it when the provider said that the money is there.
create type card_mode as enum ('sandbox', 'test', 'live');
create type purchase_state as enum ('open', 'credited', 'closed', 'refused');
create type payment_status as enum ('paid', 'refunded', 'disputed');

create table purchases (
  id           uuid primary key,                    -- time-ordered; also the idempotency key towards the provider
  user_id      uuid not null references users,
  coins        bigint not null,                     -- the package's, frozen
  amount_cents bigint not null,
  mode         card_mode not null,
  intent_id    text,                                -- the provider's id; null until the provider has answered
  state        purchase_state not null default 'open',
  created_at   timestamptz not null default clock_time(),
  checked_at   timestamptz not null default clock_time(), -- when the provider was last asked about it
  closed_at    timestamptz,
  constraint purchases_coins check (coins > 0),
  constraint purchases_amount check (amount_cents > 0),
  constraint purchases_closed check ((state = 'open') = (closed_at is null)),
  constraint purchases_credited_has_intent check (state <> 'credited' or intent_id is not null),
  constraint purchases_intent unique (intent_id)
);
-- Two calls at once begin one purchase, not two.
create unique index purchases_one_open on purchases (user_id, amount_cents) where state = 'open';
create index purchases_to_check on purchases (checked_at) where state = 'open';

-- One per purchase whose money arrived. `coins` are those credited: 0 when the person was gone by then. What the
-- provider has taken back so far, by refund or dispute, is in reversed_cents and reversed_coins.
create table payments (
  id             uuid primary key references purchases,
  number         bigint generated always as identity, -- the receipt's number; newest is greatest
  user_id        uuid not null references users,
  transaction_id text not null,
  mode           card_mode not null,
  amount_cents   bigint not null,
  coins          bigint not null,
  status         payment_status not null default 'paid',
  reversed_cents bigint not null default 0,
  reversed_coins bigint not null default 0,
  card_brand     text not null default '',
  card_last4     text not null default '',
  paid_at        timestamptz not null default clock_time(),
  constraint payments_number unique (number),
  constraint payments_transaction unique (transaction_id),
  constraint payments_amount check (amount_cents > 0 and coins >= 0),
  constraint payments_reversed check (
    reversed_cents between 0 and amount_cents and reversed_coins between 0 and coins),
  constraint payments_card check (card_last4 ~ '^([0-9]{4})?$')
);
create index payments_of_user on payments (user_id, number desc);

-- Each time the provider took money back, or gave it back after a dispute was won (negative). The id is the ledger's
-- reference.
create table payment_reversals (
  id         uuid primary key default gen_random_uuid(),
  payment_id uuid not null references payments,
  cents      bigint not null,
  coins      bigint not null,
  created_at timestamptz not null default clock_time(),
  constraint payment_reversals_cents check (cents <> 0 and sign(coins) in (0, sign(cents)))
);
create index payment_reversals_of_payment on payment_reversals (payment_id);

-- What the provider told us, kept before it is answered and worked off afterwards. Only what is needed to ask the
-- provider again: the truth is read from there, never from the message.
create table card_events (
  id           text primary key,                    -- the provider's; the same event again is the same row
  type         text not null,
  intent_id    text,                                -- null: about something that is none of ours
  received_at  timestamptz not null default clock_time(),
  attempts     int not null default 0,
  next_try_at  timestamptz not null default clock_time(),
  processed_at timestamptz,
  outcome      text not null default ''
);
create index card_events_due on card_events (next_try_at) where processed_at is null;
create index card_events_by_age on card_events (received_at);
