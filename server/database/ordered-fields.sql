-- Returns the fields of an object in the order of these names: jsonb has an order of its own.
create or replace function ordered_fields(p_object jsonb, p_names text[]) returns json language sql immutable as $$
  select coalesce(json_object_agg(name, p_object -> name order by place), '{}')
    from unnest(p_names) with ordinality as each(name, place) where p_object ? name
$$;
