-- The decision about an unmatched payment that waits for another Admin (the setting refund_rules). It stays after the
-- approval.
alter table unmatched_payments
  add column requested_decision text,
  add column requested_by uuid references users,
  add column requested_at timestamptz,
  add constraint unmatched_payments_requested_decision check (requested_decision in ('credit', 'refund')),
  add constraint unmatched_payments_requested
    check ((requested_decision is null) = (requested_by is null) and (requested_by is null) = (requested_at is null)),
  add constraint unmatched_payments_second check (requested_by <> decided_by);

-- The days on which a buyer was refused, or was frozen, by the limits of cards: evidence on the withdrawal requests of the
-- workers whom they pay.
create table card_limit_hits (
  user_id uuid not null references users,
  day     date not null,
  hits    int not null default 1,
  primary key (user_id, day),
  constraint card_limit_hits_positive check (hits > 0)
);
create index card_limit_hits_by_day on card_limit_hits (day);
