-- Creates an endpoint of a user, who is no Admin and has fewer than `p_max` that are not ended. Locks the user, so that
-- concurrent endpoints and a change of the role happen before or after this transaction.
create or replace function create_webhook_endpoint(
  p_id uuid, p_user uuid, p_name text, p_url text, p_events text[], p_secret bytea, p_max int)
returns setof webhook_endpoints language plpgsql as $$
begin
  perform lock_user_in_role(p_user, 'Worker', 'Buyer');
  if (select count(*) from webhook_endpoints where user_id = p_user and state <> 'ended') >= p_max then
    perform refuse('state_conflict.webhook_endpoints', jsonb_build_object('max', p_max));
  end if;
  return query insert into webhook_endpoints (id, user_id, name, url, events, secret)
  values (p_id, p_user, p_name, p_url, p_events, p_secret) returning *;
end $$;

-- Locks an endpoint of this user and returns it. Refuses one that is not theirs or is ended.
create or replace function lock_webhook_endpoint(p_endpoint uuid, p_user uuid) returns webhook_endpoints language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  select * into endpoint from webhook_endpoints where id = p_endpoint and user_id = p_user for no key update;
  if not found then
    perform refuse('not_found.webhook_endpoint');
  elsif endpoint.state = 'ended' then
    perform refuse('state_conflict.webhook_ended');
  end if;
  return endpoint;
end $$;

-- Changes what is not null.
create or replace function change_webhook_endpoint(p_endpoint uuid, p_user uuid, p_name text, p_url text, p_events text[])
returns setof webhook_endpoints language plpgsql as $$
begin
  perform lock_webhook_endpoint(p_endpoint, p_user);
  return query update webhook_endpoints
     set name = coalesce(p_name, name), url = coalesce(p_url, url), events = coalesce(p_events, events)
   where id = p_endpoint returning *;
end $$;

-- Replaces the secret. The previous one signs as well for `p_overlap`; one that was replaced before it ends.
create or replace function rotate_webhook_secret(p_endpoint uuid, p_user uuid, p_secret bytea, p_overlap interval)
returns setof webhook_endpoints language plpgsql as $$
begin
  perform lock_webhook_endpoint(p_endpoint, p_user);
  return query update webhook_endpoints set previous_secret = secret, previous_until = now() + p_overlap, secret = p_secret
   where id = p_endpoint returning *;
end $$;

-- Pauses an endpoint because of `p_cause`, or resumes that of a user who is no Admin. Deliveries wait meanwhile, as they are: a pause
-- must not depend on how many there are. Then the first of each object is due at once.
create or replace function set_webhook_paused(p_endpoint uuid, p_user uuid, p_paused boolean, p_cause text default 'user')
returns setof webhook_endpoints language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  if not p_paused then
    perform lock_user_in_role(p_user, 'Worker', 'Buyer');
  end if;
  endpoint := lock_webhook_endpoint(p_endpoint, p_user);
  if p_paused and endpoint.state = 'active' then
    update webhook_endpoints set state = 'paused', paused_because = p_cause where id = p_endpoint;
  elsif not p_paused and endpoint.state = 'paused' then
    update webhook_endpoints set state = 'active', paused_because = null, failing_since = null where id = p_endpoint;
    update webhook_deliveries set due_at = now()
     where (due_at is null or due_at > now())
       and id in (select distinct on (object_id) id from webhook_deliveries
                   where endpoint_id = p_endpoint and state = 'pending' order by object_id, seq);
  end if;
  return query select * from webhook_endpoints where id = p_endpoint;
end $$;

-- Deletes an endpoint for its user: it is ended and has neither a user nor a secret. A job deletes its deliveries in batches, then
-- the row (server/webhooks/deliver.ts). Returns its name, or no row.
create or replace function delete_webhook_endpoint(p_endpoint uuid, p_user uuid) returns table (name text) language sql as $$
  update webhook_endpoints
     set user_id = null, state = 'ended', paused_because = null, secret = '', previous_secret = null, previous_until = null
   where id = p_endpoint and user_id = p_user returning webhook_endpoints.name
$$;

-- Pauses the active endpoints of a user whose password was reset by a link, and notifies the user of each.
create or replace function pause_webhook_endpoints_of(p_user uuid) returns void language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  for endpoint in select * from webhook_endpoints where user_id = p_user and state = 'active' order by id for no key update loop
    perform set_webhook_paused(endpoint.id, p_user, true, 'password_reset');
    perform notify_user(p_user, 'webhook_stopped', jsonb_build_object('name', endpoint.name, 'cause', 'password_reset'), endpoint.id);
  end loop;
end $$;

-- Pauses the active endpoints of a user who becomes an Admin, as Admins receive no events.
create or replace function pause_webhook_endpoints_of_admin(p_user uuid) returns void language plpgsql as $$
begin
  perform set_webhook_paused(id, p_user, true, 'role')
     from (select id from webhook_endpoints where user_id = p_user and state = 'active' order by id for no key update) as active;
end $$;

-- Deletes all endpoints of a user as `delete_webhook_endpoint` does. Returns their names.
create or replace function delete_webhook_endpoints_of(p_user uuid) returns setof text language sql as $$
  select deleted.name from webhook_endpoints, delete_webhook_endpoint(id, p_user) as deleted where user_id = p_user
$$;
