-- Rejects changes to rows of append-only tables. Attached by a trigger beside each such table's functions.
create or replace function reject_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
