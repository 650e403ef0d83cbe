-- Rejects changes to rows of append-only tables. Attached by a trigger beside each such table's functions.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
