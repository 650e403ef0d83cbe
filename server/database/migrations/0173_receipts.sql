-- Receipts (docs/specification/receipts.md): one for each card payment, each refund or dispute of one, and each payout.
create type receipt_kind as enum ('purchase', 'refund', 'payout');

-- The counters of the numbers. A row is locked from the issue of a receipt until its transaction ends, so that an aborted
-- one leaves no gap.
create table receipt_series (
  series      text primary key,
  last_number bigint not null default 0,
  constraint receipt_series_last_number check (last_number >= 0)
);
-- Purchases, credit notes and payouts. Payments without real money have series of their own.
insert into receipt_series (series) values ('R'), ('C'), ('P'), ('TEST-R'), ('TEST-C');

create table receipts (
  id            uuid primary key default gen_random_uuid(),
  series        text not null references receipt_series,
  number        bigint not null,
  label         text not null,                      -- the number as it is printed
  kind          receipt_kind not null,
  ref           uuid not null,                      -- the payment, the reversal or the withdrawal
  payment_id    uuid references payments,
  withdrawal_id uuid references withdrawals,
  user_id       uuid not null references users,
  issued_at     timestamptz not null default clock_time(),
  seller        jsonb not null,                     -- the setting at that time
  customer      jsonb not null,                     -- name and email at that time
  lines         jsonb not null,
  tax           jsonb,                              -- the part of the amount that is tax
  cents         bigint not null,
  constraint receipts_number unique (series, number),
  constraint receipts_once unique (kind, ref),
  constraint receipts_cents check (cents > 0),
  constraint receipts_subject check (
    (payment_id is null) = (kind = 'payout') and (withdrawal_id is null) = (kind <> 'payout'))
);
create index receipts_of_user on receipts (user_id, issued_at, id);
create index receipts_of_payment on receipts (payment_id);

-- Receipts of everything before this table, in order. What a won dispute gave back is a purchase again.
create temporary table earlier on commit drop as
select case when mode = 'live' then 'R' else 'TEST-R' end as series, 'purchase'::receipt_kind as kind, id as ref,
       id as payment_id, null::uuid as withdrawal_id, user_id, paid_at as issued_at, amount_cents as cents,
       jsonb_build_object('item', 'coins_bought', 'coins', coins, 'cents', amount_cents) as line
  from payments
union all
select case when mode = 'live' then '' else 'TEST-' end || case when cents > 0 then 'C' else 'R' end,
       case when cents > 0 then 'refund' else 'purchase' end::receipt_kind, payment_reversals.id, payments.id, null,
       user_id, created_at, abs(cents),
       jsonb_build_object('item', case when cents > 0 then 'coins_refunded' else 'coins_returned' end,
                          'coins', abs(payment_reversals.coins), 'cents', abs(cents))
  from payment_reversals join payments on payments.id = payment_id
union all
select 'P', 'payout', id, null, id, worker_id, decided_at, amount_cents,
       jsonb_build_object('item', 'coins_paid_out', 'coins', coins, 'cents', amount_cents, 'system', payment_system,
                          'account', account_number)
  from withdrawals where status = 'approved';

insert into receipts (series, number, label, kind, ref, payment_id, withdrawal_id, user_id, issued_at, seller, customer, lines, cents)
select series, number, series || '-' || lpad(number::text, greatest(6, length(number::text)), '0'), kind, ref, payment_id,
       withdrawal_id, user_id, issued_at, '{}', jsonb_build_object('name', users.name, 'email', users.email),
       jsonb_build_array(line), cents
  from (select earlier.*, row_number() over (partition by series order by issued_at, payment_id, withdrawal_id, ref) as number
          from earlier) as numbered
  join users on users.id = user_id
 order by issued_at;
update receipt_series set last_number = (select count(*) from receipts where receipts.series = receipt_series.series);
