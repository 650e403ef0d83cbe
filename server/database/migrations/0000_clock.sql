-- The time by which the marketplace lives. It is now(), unless a transaction of the demo world or of a test has set
-- `tallywork.clock` for itself.
create function clock_time() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('tallywork.clock', true), '')::timestamptz, now())
$$;
