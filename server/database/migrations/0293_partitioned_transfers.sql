-- Partitions of transfers by ranges of ids (docs/decisions/0103-partitions.md). The table becomes the first partition, without bounds.
-- Its rows are neither copied nor read, because a range without bounds needs no check.
-- Locks: ledger_transfers exclusively, and ledger_accounts for writes, for the moment in which names are swapped. Transfers lock them in
-- this order.
lock table ledger_transfers in access exclusive mode;
lock table ledger_accounts in share row exclusive mode;

alter table ledger_transfers rename to ledger_transfers_1;
drop trigger ledger_transfers_key on ledger_transfers_1;
drop function record_transfer_key();
alter table ledger_transfers_1 rename constraint ledger_transfers_pkey to ledger_transfers_1_pkey;
-- It stays on this partition: instances of the previous version find transfers by kind and reference.
alter table ledger_transfers_1 rename constraint ledger_transfers_once to ledger_transfers_1_once;
alter index ledger_transfers_debit rename to ledger_transfers_1_debit;
alter index ledger_transfers_credit rename to ledger_transfers_1_credit;
alter index ledger_transfers_refunds rename to ledger_transfers_1_refunds;
alter index ledger_transfers_bought rename to ledger_transfers_1_bought;
alter index ledger_transfers_by_day rename to ledger_transfers_1_by_day;

do $$
declare
  next_id bigint := nextval(pg_get_serial_sequence('ledger_transfers_1', 'id'));
  granted record;
  moved record;
begin
  alter table ledger_transfers_1 alter column id drop identity;

  create table ledger_transfers (
    id         bigint generated always as identity,
    kind       transfer_kind not null,
    ref        uuid not null,
    debit      bigint not null references ledger_accounts,
    credit     bigint not null references ledger_accounts,
    amount     bigint not null,
    created_at timestamptz not null default clock_time(),
    -- A repetition gets the id of the first transfer. Functions of the previous version know the constraint by this name.
    constraint ledger_transfers_once primary key (id),
    constraint ledger_transfers_amount check (amount > 0),
    constraint ledger_transfers_two_accounts check (debit <> credit)
  ) partition by range (id);
  create index ledger_transfers_debit on ledger_transfers (debit, id);
  create index ledger_transfers_credit on ledger_transfers (credit, id);
  create index ledger_transfers_refunds on ledger_transfers (credit, amount) where kind = 'task_refunded';
  create index ledger_transfers_bought on ledger_transfers (credit) include (amount) where kind = 'coins_bought';
  create index ledger_transfers_by_day on ledger_transfers using brin (created_at);
  -- Each account is in a handful of rows; a sample of millions of rows says otherwise.
  alter table ledger_transfers
    alter column debit set (n_distinct_inherited = -0.2), alter column credit set (n_distinct_inherited = -0.2);
  execute format('alter table ledger_transfers alter column id restart with %s', next_id);

  -- Running instances write to the new table as soon as this transaction ends, and not to the partition.
  for granted in
    select string_agg(privilege_type, ', ') as privileges,
           case grantee when 0 then 'public' else grantee::regrole::text end as role
      from pg_class, aclexplode(relacl) where oid = 'ledger_transfers_1'::regclass and grantee <> relowner group by grantee
  loop
    execute format('grant %s on ledger_transfers to %s', granted.privileges, granted.role);
    execute format('revoke all on ledger_transfers_1 from %s', granted.role);
  end loop;

  for moved in
    select tgname as name, replace(pg_get_triggerdef(oid), '.ledger_transfers_1 ', '.ledger_transfers ') as definition
      from pg_trigger where tgrelid = 'ledger_transfers_1'::regclass and not tgisinternal order by tgname
  loop
    execute format('drop trigger %I on ledger_transfers_1', moved.name);
    execute moved.definition;
  end loop;

  -- server/ledger/transfer-keys.sql has it from now on.
  create or replace function add_transfer_key() returns trigger language plpgsql as $body$
  declare
    first_id bigint;
  begin
    insert into transfer_keys (kind, ref, transfer_id) values (new.kind, new.ref, new.id) on conflict do nothing;
    if found then
      return new;
    end if;
    select transfer_id into strict first_id from transfer_keys where kind = new.kind and ref = new.ref;
    if exists (select from ledger_transfers where id = first_id and tableoid = tg_relid) then
      new.id := first_id;
      return new;
    end if;
    return null;
  end $body$;
  create trigger ledger_transfers_once before insert on ledger_transfers
    for each row execute function add_transfer_key();

  -- Triggers of a statement fire for the table that it names: nothing is written to a partition directly.
  if to_regprocedure('reject_change()') is null then
    create function reject_change() returns trigger language plpgsql as $body$
    begin
      raise exception '% is append-only', tg_table_name;
    end $body$;
  end if;
  create trigger ledger_transfers_partition before insert or update or delete or truncate on ledger_transfers_1
    for each statement execute function reject_change();

  alter table ledger_transfers attach partition ledger_transfers_1 for values from (minvalue) to (maxvalue);
end $$;
