-- Saved cards are stored at the card processor, with the customer. A customer whose deletion fails is retried after the others.
alter table card_customers add column deletion_tried_at timestamptz;

-- The sandbox's replacement of the processor's customers and their saved cards.
create table sandbox_customers (
  id text primary key
);
create table sandbox_cards (
  id          text primary key,
  customer_id text not null references sandbox_customers on delete cascade,
  card        jsonb not null,
  created_at  timestamptz not null default clock_time(),
  constraint sandbox_cards_card unique (customer_id, card)
);
alter table sandbox_intents add column customer_id text, add column card_to_save jsonb;
