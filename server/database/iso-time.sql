-- Returns a time in the form of the API: ISO 8601 in UTC with milliseconds.
create or replace function iso_time(p_time timestamptz) returns text language sql stable as $$
  select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
