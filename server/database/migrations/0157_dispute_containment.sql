-- What an open dispute does to its buyer (docs/payments.md#containment). Their tasks are held: no slot can be taken.
alter table tasks add column held_at timestamptz;
alter table tasks add constraint tasks_held check (held_at is null or closed_at is null);
alter type closing_reason add value 'dispute';

-- `is_open`: the dispute withholds coins and is not decided. `contained_at`: its buyer was frozen for it.
alter table payment_disputes add column is_open boolean not null default false;
alter table payment_disputes add column contained_at timestamptz;
update payment_disputes set is_open = withheld_cents > 0 and status <> 'lost';
create index payment_disputes_open on payment_disputes (payment_id) where is_open;

-- The time line of a payment besides what other tables have. Append-only.
create table payment_events (
  id         bigint generated always as identity primary key,
  payment_id uuid not null references payments,
  kind       text not null,
  data       jsonb not null default '{}',
  actor_id   uuid references users,                 -- null: the server, by rule
  created_at timestamptz not null default clock_time()
);
create index payment_events_of_payment on payment_events (payment_id, id);
