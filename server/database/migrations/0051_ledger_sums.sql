-- Sums of all transfers up to one of them, by kind: what the whole marketplace's figures begin with, so that they do not
-- read years of transfers. The mark says how far; from `next_up_to` on, transfers may still be under way in
-- transactions older than `next_xid`.
create table ledger_sums (
  kind      transfer_kind primary key,
  amount    bigint not null,
  transfers bigint not null
);
create table ledger_sums_mark (
  only_row   boolean primary key default true check (only_row),
  up_to      bigint not null default 0,
  next_up_to bigint,
  next_xid   xid8,
  marked_at  timestamptz
);
insert into ledger_sums_mark default values;
