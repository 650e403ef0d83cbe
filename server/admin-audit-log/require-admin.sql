-- Locks the row of an Admin who acts, so that a concurrent demotion or deletion happens before or after. Refuses other users.
create or replace function require_admin(p_admin uuid) returns void language plpgsql as $$
begin
  perform from users where id = p_admin and role = 'Admin' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Admin"]}');
  end if;
end $$;
