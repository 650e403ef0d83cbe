-- The provider's customer of each buyer, by which its fraud detection knows them.
create table card_customers (
  user_id     uuid primary key references users,
  customer_id text not null,
  created_at  timestamptz not null default clock_time(),
  constraint card_customers_customer unique (customer_id)
);

-- Early fraud warnings of the card networks, and the card of a payment as the provider recognises it.
alter table payments add column fraud_warning_at timestamptz;
alter table payments add column card_fingerprint text not null default '';
create index payments_by_card on payments (card_fingerprint, paid_at) where card_fingerprint <> '';

create index sandbox_intents_of_purchase on sandbox_intents ((metadata ->> 'purchase_id'));
