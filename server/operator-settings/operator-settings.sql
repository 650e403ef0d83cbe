create or replace trigger operator_setting_changes_immutable before update or delete on operator_setting_changes
  for each row execute function reject_change();
create or replace trigger operator_setting_changes_no_truncate before truncate on operator_setting_changes
  for each statement execute function reject_change();

-- Returns a setting's value: operator_setting('withdrawal_rate') ->> 'centsPerCoin'.
create or replace function operator_setting(p_name text) returns jsonb language sql stable as $$
  select value from operator_settings where name = p_name
$$;

-- Inserts the settings that this database does not have yet with their defaults, and adds new properties to the others.
create or replace function complete_operator_settings(p_defaults jsonb) returns void language plpgsql as $$
declare
  setting record;
begin
  for setting in select key as name, value as defaults from jsonb_each(p_defaults) loop
    insert into operator_settings (name, value) values (setting.name, setting.defaults) on conflict do nothing;
    if found then
      perform record_setting_change(setting.name, 'Default');
      continue;
    end if;
    update operator_settings
       set value = setting.defaults || value, version = version + 1, changed_by = null, changed_at = clock_time()
     where name = setting.name and value <> setting.defaults || value;
    if found then
      perform record_setting_change(setting.name, 'Default of a new property');
    end if;
  end loop;
end $$;

-- Changes a setting by an Admin's decision, based on the version that they saw, or stores a change that waits for another
-- Admin where it weakens a rule about Admins. Returns whether it is in force. Lock order: Admins, the setting, its
-- proposals, the audit log.
create or replace function change_operator_setting(
  p_name text, p_admin uuid, p_version int, p_value jsonb, p_reason text)
returns boolean language plpgsql as $$
declare
  before operator_settings;
begin
  perform lock_setting_admins(p_admin);
  select * into strict before from operator_settings where name = p_name for no key update;
  if before.version <> p_version then
    perform refuse('state_conflict.setting');
  elsif before.value = p_value then
    return true;
  elsif weakens_two_admin_rule(p_name, before.value, p_value) then
    perform propose_setting_change(p_name, p_version, p_admin, p_value, p_reason);
    return false;
  end if;
  perform apply_setting_change(p_name, p_value, p_reason, p_admin, null);
  return true;
end $$;

-- Changes a setting, and notifies the Admins who did not decide it. The caller holds the setting.
create or replace function apply_setting_change(p_name text, p_value jsonb, p_reason text, p_admin uuid, p_confirmed_by uuid)
returns void language plpgsql as $$
declare
  before operator_settings;
begin
  select * into strict before from operator_settings where name = p_name for no key update;
  update operator_settings
     set value = p_value, version = version + 1, changed_by = p_admin, changed_at = clock_time()
   where name = p_name;
  perform record_setting_change(p_name, p_reason, p_confirmed_by);
  perform notify_user(others.id, 'setting_changed',
      jsonb_build_object('admin', admin.name, 'setting', p_name, 'reason', p_reason), null)
     from users as admin join users as others on others.role = 'Admin' and others.deleted_at is null and others.id <> admin.id
    where admin.id = p_admin and others.id is distinct from p_confirmed_by order by others.id;
  perform log_admin_action(coalesce(p_confirmed_by, p_admin), 'setting_changed', p_admin, jsonb_build_object(
    'setting', p_name, 'version', before.version + 1, 'before', before.value, 'after', p_value, 'reason', p_reason));
end $$;

-- Adds the current value to the history. A waiting change was based on the value before, and lapses.
create or replace function record_setting_change(p_name text, p_reason text, p_confirmed_by uuid default null)
returns void language sql as $$
  update setting_proposals set state = 'lapsed', decided_at = clock_time() where name = p_name and state = 'waiting';
  insert into operator_setting_changes (name, version, value, changed_by, changed_at, reason, confirmed_by)
  select name, version, value, changed_by, changed_at, p_reason, p_confirmed_by from operator_settings where name = p_name
$$;

create or replace function audit_settings()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every setting has the value of its last change', count(*),
         count(*) filter (where (settings.value, settings.version) is distinct from (changes.value, changes.version))
    from operator_settings as settings
    left join lateral (select * from operator_setting_changes where name = settings.name order by version desc limit 1)
      as changes on true
$$;
