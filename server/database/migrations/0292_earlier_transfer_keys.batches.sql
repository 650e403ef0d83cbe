-- Adds the keys of the transfers that were there before 0291, which keeps those of later ones.
-- Locks: nothing.
with transfers as materialized (
  select id, kind, ref from ledger_transfers where id > $1 order by id limit 10000
),
added as (
  insert into transfer_keys (kind, ref, transfer_id) select kind, ref, id from transfers on conflict do nothing
)
select max(id) as last from transfers
