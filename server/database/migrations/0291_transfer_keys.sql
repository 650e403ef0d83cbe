-- The keys of transfers: what moves coins once per kind and reference, also when transfers are stored in partitions
-- (docs/decisions/0103-partitions.md). The next migration adds those of the transfers that are there.
-- Locks: ledger_transfers for writes, for the moment in which a trigger is created.
create table transfer_keys (
  kind        transfer_kind not null,
  ref         uuid not null,
  transfer_id bigint not null,
  constraint transfer_keys_pkey primary key (kind, ref)
);

-- Adds the key of a new transfer until the table is partitioned. Its unique constraint has rejected repetitions.
create function record_transfer_key() returns trigger language plpgsql as $$
begin
  insert into transfer_keys (kind, ref, transfer_id) values (new.kind, new.ref, new.id);
  return null;
end $$;
create trigger ledger_transfers_key after insert on ledger_transfers
  for each row execute function record_transfer_key();

-- Running instances add keys as soon as this transaction ends.
do $$
declare
  granted record;
begin
  for granted in
    select grantee, string_agg(privilege_type, ', ') as privileges
      from pg_class, aclexplode(relacl) where oid = 'ledger_transfers'::regclass and grantee <> relowner group by grantee
  loop
    execute format('grant %s on transfer_keys to %s', granted.privileges,
      case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
  end loop;
end $$;
