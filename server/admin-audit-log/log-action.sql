create or replace trigger admin_audit_log_immutable before update or delete on admin_audit_log
  for each row execute function reject_change();
create or replace trigger admin_audit_log_no_truncate before truncate on admin_audit_log
  for each statement execute function reject_change();

-- Appends an Admin's action to the hash chain of the audit log, in the caller's transaction. Appends run one at a time
-- and hold their lock until commit, so call it last.
create or replace function log_admin_action(p_admin uuid, p_act text, p_subject uuid, p_details jsonb default '{}')
returns void language plpgsql as $$
declare
  previous admin_audit_log;
  number bigint;
  entry text;
begin
  perform pg_advisory_xact_lock(7461070);
  select * into previous from admin_audit_log order by id desc limit 1;
  number := coalesce(previous.id, 0) + 1;
  entry := jsonb_build_object('number', number, 'time', iso_time(clock_time()),
    'admin', p_admin, 'act', p_act, 'subject', p_subject, 'details', p_details)::text;
  insert into admin_audit_log (id, content, hash)
  values (number, entry, sha256(coalesce(previous.hash, '\x') || convert_to(entry, 'UTF8')));
end $$;

create or replace function audit_admin_log()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'the audit log of Admin actions is an unbroken chain', count(*),
         count(*) filter (where id <> position or hash <> sha256(coalesce(previous, '\x') || convert_to(content, 'UTF8')))
    from (select *, row_number() over (order by id) as position, lag(hash) over (order by id) as previous
            from admin_audit_log) as chain
$$;
