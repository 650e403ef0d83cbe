-- Returns whether a change weakens a rule that makes a second Admin necessary, or one that stops payments until an Admin clears
-- them: a higher number, none, or a switch turned off.
create or replace function weakens_two_admin_rule(p_name text, p_before jsonb, p_after jsonb) returns boolean language sql immutable as $$
  select p_name in ('payout_rules', 'refund_rules', 'risk') and exists (
    select from jsonb_each(p_before) as rule (property, value)
     where case jsonb_typeof(value)
             when 'number' then coalesce((p_after ->> property)::numeric > (value #>> '{}')::numeric, true)
             when 'boolean' then value = 'true' and p_after -> property is distinct from 'true'
             else false
           end)
$$;

-- Locks the Admins against demotion and deletion. Refuses a caller who is no Admin any more; null is the server.
create or replace function lock_setting_admins(p_admin uuid default null) returns void language plpgsql as $$
begin
  perform from users where role = 'Admin' and deleted_at is null order by id for share;
  if p_admin is not null and not exists (select from users where id = p_admin and role = 'Admin' and deleted_at is null) then
    perform refuse('role_not_allowed', '{"roles": ["Admin"]}');
  end if;
end $$;

create or replace function is_only_admin(p_admin uuid) returns boolean language sql stable as $$
  select not exists (select from users where role = 'Admin' and deleted_at is null and id <> p_admin)
$$;

-- Stores a change that waits for another Admin, and notifies them. The caller holds the Admins and the setting.
create or replace function propose_setting_change(p_name text, p_version int, p_admin uuid, p_value jsonb, p_reason text)
returns void language plpgsql as $$
declare
  proposal setting_proposals;
begin
  if exists (select from setting_proposals where name = p_name and state = 'waiting') then
    perform refuse('state_conflict.setting_proposal');
  end if;
  insert into setting_proposals (name, version, value, reason, proposed_by, due_at)
  values (p_name, p_version, p_value, p_reason, p_admin,
          case when is_only_admin(p_admin) then clock_time() + interval '24 hours' end)
  returning * into proposal;
  perform notify_user(others.id, 'setting_change_proposed',
      jsonb_build_object('admin', admin.name, 'setting', p_name, 'reason', p_reason), proposal.id)
     from users as admin join users as others on others.role = 'Admin' and others.deleted_at is null and others.id <> admin.id
    where admin.id = p_admin order by others.id;
  perform log_setting_proposal(proposal, p_admin, 'setting_change_proposed');
end $$;

-- Confirms ('confirmed') or withdraws ('withdrawn') a waiting change by an Admin's decision. Nobody confirms their own. A
-- repetition by the same Admin changes nothing. Returns the setting's name. Lock order: Admins, the setting, the proposal,
-- the audit log.
create or replace function decide_setting_proposal(p_id uuid, p_admin uuid, p_state setting_proposal_state)
returns text language plpgsql as $$
declare
  proposal setting_proposals;
begin
  perform lock_setting_admins(p_admin);
  proposal := lock_setting_proposal(p_id);
  if proposal.state = p_state and proposal.decided_by = p_admin then
    return proposal.name;
  elsif proposal.state <> 'waiting' then
    perform refuse('already_decided.setting_proposal', jsonb_build_object('state', proposal.state));
  elsif p_state = 'confirmed' and proposal.proposed_by = p_admin then
    perform refuse('yourself.setting');
  elsif p_state = 'confirmed' then
    perform refuse_new_admins(array[proposal.proposed_by, p_admin]);
  end if;
  perform finish_setting_proposal(proposal, p_admin, p_state);
  return proposal.name;
end $$;

-- Applies a waiting change of the only Admin once its waiting time is over. The time runs while there is no other Admin. At most
-- one per call, because the lock of the audit log comes last. Returns how many were applied.
create or replace function settle_setting_proposals() returns int language plpgsql as $$
declare
  proposal setting_proposals;
begin
  perform lock_setting_admins();
  for proposal in select * from setting_proposals where state = 'waiting' order by name loop
    proposal := lock_setting_proposal(proposal.id);
    if proposal.state <> 'waiting' then
      continue;
    elsif not is_only_admin(proposal.proposed_by) then
      update setting_proposals set due_at = null where id = proposal.id and due_at is not null;
    elsif proposal.due_at is null then
      update setting_proposals set due_at = clock_time() + interval '24 hours' where id = proposal.id;
    elsif proposal.due_at <= clock_time() then
      perform finish_setting_proposal(proposal, null, 'confirmed');
      return 1;
    end if;
  end loop;
  return 0;
end $$;

-- Ends the waiting changes of a user who is no Admin any more. The caller holds the Admins.
create or replace function lapse_setting_proposals(p_user uuid) returns void language sql as $$
  update setting_proposals set state = 'lapsed', decided_at = clock_time() where proposed_by = p_user and state = 'waiting'
$$;

create or replace function lock_setting_proposal(p_id uuid) returns setting_proposals language plpgsql as $$
declare
  locked setting_proposals;
begin
  perform from operator_settings where name = (select name from setting_proposals where id = p_id) for no key update;
  select * into locked from setting_proposals where id = p_id for no key update;
  if not found then
    perform refuse('not_found.setting_proposal');
  end if;
  return locked;
end $$;

-- Ends a waiting change and applies a confirmed one. `p_admin` is null when its waiting time is over.
create or replace function finish_setting_proposal(p_proposal setting_proposals, p_admin uuid, p_state setting_proposal_state)
returns void language plpgsql as $$
begin
  update setting_proposals set state = p_state, decided_by = p_admin, decided_at = clock_time() where id = p_proposal.id;
  if p_admin is distinct from p_proposal.proposed_by then
    perform notify_user(p_proposal.proposed_by, 'setting_change_decided', jsonb_build_object(
      'admin', (select name from users where id = p_admin), 'setting', p_proposal.name, 'state', p_state), p_proposal.id);
  end if;
  if p_state = 'confirmed' then
    perform apply_setting_change(p_proposal.name, p_proposal.value, p_proposal.reason, p_proposal.proposed_by, p_admin);
  else
    perform log_setting_proposal(p_proposal, p_admin, 'setting_change_withdrawn');
  end if;
end $$;

create or replace function log_setting_proposal(p_proposal setting_proposals, p_admin uuid, p_act text) returns void language plpgsql as $$
begin
  perform log_admin_action(p_admin, p_act, p_proposal.proposed_by, jsonb_build_object(
    'setting', p_proposal.name, 'version', p_proposal.version, 'after', p_proposal.value, 'reason', p_proposal.reason));
end $$;

-- Refuses a weaker rule by an Admin without a confirmed proposal, for any statement that writes the setting. During an upgrade an
-- instance of the previous version writes a rule that it does not know as one, without a proposal. That instance can show this
-- refusal, and its Admin tries again (docs/decisions/0078-versions-side-by-side.md).
create or replace function check_two_admin_rule() returns trigger language plpgsql as $$
begin
  if new.changed_by is not null and weakens_two_admin_rule(old.name, old.value, new.value) and not exists (
       select from setting_proposals
        where state = 'confirmed' and (name, version, value) = (old.name, old.version, new.value)) then
    perform refuse('state_conflict.setting');
  end if;
  return new;
end $$;
create or replace trigger operator_settings_two_admins before update on operator_settings
  for each row execute function check_two_admin_rule();
