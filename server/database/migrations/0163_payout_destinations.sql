-- The accounts that a user is paid out to (docs/specification/destinations.md). A change replaces the row, so that the
-- history keeps every number.
create type destination_state as enum ('unverified', 'verified', 'removed');

create table payout_destinations (
  id             uuid primary key,
  user_id        uuid not null references users,
  slot           smallint not null,                 -- the place among the user's live ones, so that there are at most five
  payment_system payment_system not null,
  account_number text not null,                     -- normalized
  holder_name    text not null,
  bank_name      text not null default '',
  branch         text not null default '',
  routing_number text not null default '',
  state          destination_state not null default 'unverified',
  usable_at      timestamptz not null,
  verified_at    timestamptz,
  removed_at     timestamptz,
  replaces       uuid references payout_destinations,
  created_at     timestamptz not null default clock_time(),
  constraint payout_destinations_slot check (slot between 1 and 5),
  constraint payout_destinations_number check (
    case payment_system
      when 'Bkash' then account_number ~ '^01[3-9][0-9]{8}$'
      when 'Nagad' then account_number ~ '^01[3-9][0-9]{8}$'
      when 'Rocket' then account_number ~ '^01[3-9][0-9]{9}$'
      when 'Bank' then account_number ~ '^[0-9]{8,17}$' and routing_number ~ '^[0-9]{9}$' and bank_name <> ''
      else length(account_number) between 4 and 200
    end),
  constraint payout_destinations_holder check (holder_name <> ''),
  constraint payout_destinations_verified check (state <> 'verified' or verified_at is not null),
  constraint payout_destinations_removed check ((state = 'removed') = (removed_at is not null))
);
create unique index payout_destinations_slots on payout_destinations (user_id, slot) where state <> 'removed';
create unique index payout_destinations_live on payout_destinations (user_id, payment_system, account_number, routing_number)
  where state <> 'removed';
create index payout_destinations_of_user on payout_destinations (user_id, id desc);
-- Who else is paid out to this account.
create index payout_destinations_by_number on payout_destinations (payment_system, account_number);

-- The destination of a request. Null: the worker typed an account that is not one of their destinations.
alter table withdrawals add column destination_id uuid references payout_destinations;
create index withdrawals_of_destination on withdrawals (destination_id) where destination_id is not null;
