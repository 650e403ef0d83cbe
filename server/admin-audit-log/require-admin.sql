-- Locks the row of an Admin who acts, so that a concurrent demotion or deletion happens before or after. Refuses other users.
create or replace function require_admin(p_admin uuid) returns void language plpgsql as $$
begin
  perform require_role(p_admin, 'Admin');
end $$;
