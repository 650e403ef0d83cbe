-- Returns the terms of a task that can be found by their beginning: the first 1000 different ones. A text of 20,000
-- characters in a natural language rarely has more.
create or replace function search_terms_of(p_search tsvector) returns setof text language sql immutable as $$
  select lexeme from (select lexeme from unnest(p_search) order by positions[1], lexeme limit 1000) as first order by lexeme
$$;

-- Stores the search terms of a written task, and remembers those that it no longer contains. Terms are ordered, so that
-- concurrent writes of the same terms lock in one order. The terms are no longer remembered as unused before they are
-- stored: a purge in progress has then either deleted them or does not see them.
create or replace function store_search_terms() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null then
    delete from unused_search_terms where term in (
      select term from unused_search_terms where term in (select search_terms_of(new.search)) order by term for update);
    insert into search_terms select search_terms_of(new.search) on conflict do nothing;
  end if;
  if tg_op = 'UPDATE' then
    insert into unused_search_terms
    select term, clock_time() from search_terms_of(old.search) as term
     where new.deleted_at is not null or term not in (select search_terms_of(new.search))
    on conflict do nothing;
  end if;
  return null;
end $$;

create or replace trigger search_terms_stored after insert or update of title, detail, deleted_at on tasks
  for each row execute function store_search_terms();
