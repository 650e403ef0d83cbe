-- Adds the key of a new transfer. Keys are not partitioned, so a transfer happens once per kind and reference, in whichever
-- partition it is stored (docs/decisions/0103-partitions.md). A repetition gets the id of the first transfer: the primary key rejects
-- it, or `on conflict` skips it. When the first transfer is in another partition, the row is skipped.
create or replace function add_transfer_key() returns trigger language plpgsql as $$
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
end $$;
create or replace trigger ledger_transfers_once before insert on ledger_transfers
  for each row execute function add_transfer_key();

create or replace trigger transfer_keys_immutable before update or delete on transfer_keys
  for each row execute function reject_change();
create or replace trigger transfer_keys_no_truncate before truncate on transfer_keys
  for each statement execute function reject_change();

create or replace function audit_transfer_keys()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every transfer has its key, and every key its transfer', count(*),
         count(*) filter (where transfers.id is null or keys.transfer_id is null)
    from ledger_transfers as transfers
    full join transfer_keys as keys on keys.transfer_id = transfers.id and keys.kind = transfers.kind and keys.ref = transfers.ref
$$;
