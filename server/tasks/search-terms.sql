-- Stores the search terms of a written task. Terms are ordered, so that concurrent inserts of the same new terms lock in
-- one order. Terms that no task contains any more are kept; they match nothing.
create or replace function store_search_terms() returns trigger language plpgsql as $$
begin
  insert into search_terms select term from unnest(tsvector_to_array(new.search)) as term order by term
  on conflict do nothing;
  return null;
end $$;

create or replace trigger search_terms_stored after insert or update of title, detail on tasks
  for each row execute function store_search_terms();
