-- Ends every session of an identity but one. Rejects ID tokens of external issuers that have no session here yet by their
-- time of issue, and sign-ins in flight by the version of the credentials.
create or replace function end_sessions(p_identity uuid, p_except uuid) returns int language plpgsql as $$
declare
  ended int;
begin
  update identities set issuer_tokens_from = now(), credentials_version = credentials_version + 1
   where id = p_identity;
  update sessions set ended_at = now()
   where identity_id = p_identity and ended_at is null and id is distinct from p_except;
  get diagnostics ended = row_count;
  return ended;
end $$;

-- Ends one session of a user, or all of them where p_session is null, for an Admin, and logs it
-- (docs/specification/users.md). p_network and p_device are the Admin's. Returns how many ended.
create or replace function end_user_sessions(p_user uuid, p_session uuid, p_admin uuid, p_network text, p_device text)
returns int language plpgsql as $$
declare
  ended int := 1;
  ended_device text;
begin
  if not exists (select from users where id = p_user and deleted_at is null) then
    perform refuse('user_not_found');
  end if;
  if p_session is null then
    ended := end_sessions(p_user, null);
    perform log_security_event('all_sessions_ended', p_user, p_network, p_device, '{}', p_admin);
  else
    update sessions set ended_at = now() where id = p_session and identity_id = p_user and ended_at is null
    returning device into ended_device;
    if not found then
      perform refuse('not_found.session');
    end if;
    perform log_security_event('session_ended', p_user, p_network, p_device,
      jsonb_build_object('device', ended_device), p_admin);
  end if;
  perform log_admin_action(p_admin, 'sessions_ended', p_user, jsonb_build_object('sessions', ended));
  return ended;
end $$;
