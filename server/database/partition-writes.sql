-- Rejects a statement that names a partition. Triggers of statements fire for the table that a statement names: rows are written through
-- the partitioned table.
create or replace function reject_partition_write() returns trigger language plpgsql as $$
begin
  raise exception '% is a partition: write to its table', tg_table_name;
end $$;
