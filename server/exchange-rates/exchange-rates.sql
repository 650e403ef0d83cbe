create or replace trigger exchange_rates_append_only before update or delete on exchange_rates
  for each row execute function reject_change();
create or replace trigger exchange_rates_no_truncate before truncate on exchange_rates
  for each statement execute function reject_change();

-- Enters a rate, which replaces the current one at once (docs/specification/exchange-rates.md).
create or replace function enter_exchange_rate(p_id uuid, p_admin uuid, p_rate numeric, p_source text, p_hours int)
returns void language plpgsql as $$
begin
  insert into exchange_rates (id, rate, source, entered_by, expires_at)
  values (p_id, p_rate, p_source, p_admin, clock_time() + make_interval(hours => p_hours));
  perform log_admin_action(p_admin, 'exchange_rate_entered', p_id,
    jsonb_build_object('rate', p_rate, 'source', p_source, 'hours', p_hours));
end $$;

-- Returns the newest rate, or null when it has expired: an older rate never becomes current again.
create or replace function current_exchange_rate() returns uuid language sql stable as $$
  select id from (select id, expires_at from exchange_rates order by entered_at desc, id desc limit 1) as newest
   where expires_at > clock_time()
$$;

-- Returns an amount in poisha, rounded half up to a whole poisha (contract/exchange-rates.ts has the same rule).
create or replace function poisha_of(p_cents bigint, p_rate numeric) returns bigint language sql immutable as $$
  select round(p_cents * p_rate)::bigint
$$;
