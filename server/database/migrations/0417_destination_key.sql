-- The account behind a typed number, as withdrawals.destination_key has it (0170): kept destinations are found by it too. The next migration
-- adds their index, so the function belongs to no version of the server. A call in PL/pgSQL has the cost of a hundred operators for the
-- planner, which therefore uses the index also before the table is analyzed.
-- Locks: nothing.
create function destination_key(p_system payment_system, p_account text) returns text language plpgsql immutable parallel safe as $$
begin
  return case when p_system in ('Bkash', 'Nagad', 'Rocket') then left(p_account, 11)
              else coalesce(substring(regexp_replace(p_account, '[ .-]', '', 'g') from '[0-9]{8,17}'),
                            lower(regexp_replace(p_account, '[^[:alnum:]]', '', 'g'))) end;
end $$;
