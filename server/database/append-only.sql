-- Rejects updates and deletes. Triggers beside the functions of each append-only table call it.
create or replace function reject_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
