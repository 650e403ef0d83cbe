-- Creates an API key of a user, who is no Admin and has fewer than `p_max` keys that are neither revoked nor expired
-- (docs/specification/api-keys.md). Networks may have host bits, which are dropped. Returns the key.
-- Locks the user, so that concurrent keys and a change of the role happen before or after this transaction.
create or replace function create_api_key(
  p_id uuid, p_user uuid, p_name text, p_prefix text, p_hash bytea, p_scopes text[], p_networks text[], p_days int,
  p_max int)
returns setof api_keys language plpgsql as $$
begin
  perform lock_user_in_role(p_user, 'Worker', 'Buyer');
  if (select count(*) from api_keys where user_id = p_user and revoked_at is null and expires_at > now()) >= p_max then
    perform refuse('state_conflict.api_keys', jsonb_build_object('max', p_max));
  end if;
  perform notify_user(p_user, 'api_key_created', jsonb_build_object('name', p_name), p_id);
  return query insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, networks, expires_at)
  values (p_id, p_user, p_name, p_prefix, p_hash, p_scopes,
          array(select distinct network(given::inet)::cidr from unnest(p_networks) as given),
          now() + make_interval(days => p_days))
  returning *;
end $$;
