-- Rejects updates, and deletions within the retention period (docs/decisions/0027-security-log.md). It compares with
-- now(), which a connection cannot set, and not with clock_time().
create or replace function reject_change_of_security_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.time < now() - interval '400 days' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

create or replace trigger security_log_immutable before update or delete on security_log
  for each row execute function reject_change_of_security_log();
create or replace trigger security_log_no_truncate before truncate on security_log
  for each statement execute function reject_change();

-- Appends an event in the caller's transaction, or in the caller's statement: `select log_security_event(…) from …`.
-- Kinds and parameters are those of contract/security-log.ts.
create or replace function log_security_event(
  p_kind text, p_identity uuid, p_network text, p_device text, p_params jsonb default '{}',
  p_actor uuid default null, p_email_hash bytea default null)
returns void language sql as $$
  insert into security_log (kind, identity_id, network, device, params, actor_id, email_hash)
  values (p_kind, p_identity, p_network, p_device, p_params, p_actor, p_email_hash)
$$;

-- Deletes up to `p_limit` events that are older than 400 days and returns how many. Runs as its owner, so that the
-- server needs no privilege to delete from the log.
create or replace function purge_security_log(p_limit int) returns int
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with deleted as (
    delete from security_log where id in (
      select id from security_log where time < now() - interval '400 days' order by time limit p_limit)
    returning id)
  select count(*)::int from deleted
$$;
