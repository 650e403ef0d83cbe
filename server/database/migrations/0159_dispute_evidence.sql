-- What is known about the buyer's browser at a purchase: evidence in a dispute. Removed after the time for disputes.
alter table purchases add column ip text not null default '';
alter table purchases add column user_agent text not null default '';
create index purchases_with_client on purchases (created_at) where ip <> '';

-- The evidence that Admins saved for a dispute, and when it was submitted to the bank.
create table dispute_evidence (
  dispute_id   text primary key references payment_disputes,
  fields       jsonb not null,
  saved_by     uuid not null references users,
  saved_at     timestamptz not null default clock_time(),
  submitted_by uuid references users,
  submitted_at timestamptz,
  constraint dispute_evidence_submitted check ((submitted_by is null) = (submitted_at is null))
);

-- Cards that the provider declined, by their fingerprint where it is known, for the limits of cards and buyers.
create table card_declines (
  id          text primary key,                     -- the provider's event
  user_id     uuid not null references users,
  fingerprint text not null default '',
  declined_at timestamptz not null default clock_time()
);
create index card_declines_of_user on card_declines (user_id, declined_at);
create index card_declines_of_card on card_declines (fingerprint, declined_at) where fingerprint <> '';
create index card_declines_by_age on card_declines (declined_at);
