create or replace trigger admin_audit_log_immutable before update or delete on admin_audit_log
  for each row execute function reject_change();
create or replace trigger admin_audit_log_no_truncate before truncate on admin_audit_log
  for each statement execute function reject_change();

-- Writes down what an admin did, in the transaction in which they did it. One at a time: the chain has one end. Call it
-- last, so that nothing is waited for while the end is held.
create or replace function log_admin_action(p_admin uuid, p_act text, p_subject uuid, p_details jsonb default '{}')
returns void language plpgsql as $$
declare
  last admin_audit_log;
  number bigint;
  written text;
begin
  perform pg_advisory_xact_lock(7461070);
  select * into last from admin_audit_log order by id desc limit 1;
  number := coalesce(last.id, 0) + 1;
  written := jsonb_build_object('number', number, 'time', to_char(clock_time() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'admin', p_admin, 'act', p_act, 'subject', p_subject, 'details', p_details)::text;
  insert into admin_audit_log (id, content, hash)
  values (number, written, sha256(coalesce(last.hash, '\x') || convert_to(written, 'UTF8')));
end $$;

create or replace function audit_admin_log()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'the record of what admins did is an unbroken chain', count(*),
         count(*) filter (where id <> position or hash <> sha256(coalesce(previous, '\x') || convert_to(content, 'UTF8')))
    from (select *, row_number() over (order by id) as position, lag(hash) over (order by id) as previous
            from admin_audit_log) as chain
$$;
