-- Locks the rows of all Admins, so that operations which can remove an Admin run one at a time: two Admins who demote or
-- delete each other concurrently leave one. Refuses a caller who is no Admin any more.
create or replace function lock_admins(p_admin uuid) returns void language plpgsql as $$
begin
  perform from users where role = 'Admin' and deleted_at is null order by id for no key update;
  if not exists (select from users where id = p_admin and role = 'Admin' and deleted_at is null) then
    perform refuse('role_not_allowed', '{"roles": ["Admin"]}');
  end if;
end $$;

-- Refuses to remove the last Admin, and an Admin who removes themselves (docs/specification/access.md). The caller
-- holds the Admins' row locks.
create or replace function refuse_last_admin(p_user uuid, p_admin uuid) returns void language plpgsql as $$
begin
  if not exists (select from users where role = 'Admin' and deleted_at is null and id <> p_user) then
    perform refuse('last_admin');
  elsif p_user = p_admin then
    perform refuse('yourself');
  end if;
end $$;

-- Changes a user's role and notifies the user. The webhook endpoints of a new Admin are paused. A new Admin is also announced to all
-- other Admins, including the one who made the change: somebody else may use their account. Returns 1, or 0 when the user has the role already.
create or replace function update_role(p_user uuid, p_role user_role, p_admin uuid) returns int language plpgsql as $$
declare
  target users;
begin
  perform lock_admins(p_admin);
  select * into target from users where id = p_user and deleted_at is null for no key update;
  if not found then
    perform refuse('user_not_found');
  elsif target.role = p_role then
    return 0;
  elsif target.role = 'Admin' then
    perform refuse_last_admin(p_user, p_admin);
  end if;
  -- A demotion keeps `admin_since`: it does not make what a new Admin requested or checked count (refuse_new_admins).
  update users set role = p_role, admin_since = case when p_role = 'Admin' then clock_time() else admin_since end where id = p_user;
  perform lapse_setting_proposals(p_user);
  perform notify_user(p_user, 'role_changed', jsonb_build_object('role', p_role), p_user);
  if p_role = 'Admin' then
    perform pause_webhook_endpoints_of_admin(p_user);
    perform notify_user(others.id, 'admin_added', jsonb_build_object('admin', admin.name, 'name', target.name), p_user)
       from users as admin join users as others on others.role = 'Admin' and others.deleted_at is null and others.id <> p_user
      where admin.id = p_admin order by others.id;
  end if;
  perform log_admin_action(p_admin, 'role_changed', p_user, jsonb_build_object('from', target.role, 'to', p_role));
  return 1;
end $$;

-- Gives a user the permission to review appeals, or takes it away. Returns 1, or 0 when nothing changes. Open reviews of
-- a user without the permission are assigned to others (server/appeals/assign-review.sql).
create or replace function set_reviewer(p_user uuid, p_value boolean, p_admin uuid) returns int language plpgsql as $$
declare
  target users;
begin
  perform lock_admins(p_admin);
  select * into target from users where id = p_user and deleted_at is null for no key update;
  if not found then
    perform refuse('user_not_found');
  elsif target.is_reviewer = p_value then
    return 0;
  end if;
  update users set is_reviewer = p_value where id = p_user;
  perform notify_user(p_user, 'reviewer_changed', jsonb_build_object('reviewer', p_value), p_user);
  perform log_admin_action(p_admin, 'reviewer_changed', p_user, jsonb_build_object('reviewer', p_value));
  return 1;
end $$;
