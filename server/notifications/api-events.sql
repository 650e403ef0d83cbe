-- Returns those of these users whose own systems receive events: by an API key with the scope `events` that is neither
-- revoked nor expired, or at an endpoint that is not ended. Callers name it in `from`: PostgreSQL then plans it with their query.
create or replace function event_listeners(p_users uuid[]) returns setof uuid language sql stable as $$
  select id from users
   where id = any (p_users) and role <> 'Admin' and deleted_at is null
     and (exists (select from webhook_endpoints where user_id = users.id and state <> 'ended')
       or exists (select from api_keys where user_id = users.id and revoked_at is null and expires_at > now() and 'events' = any (scopes)))
$$;

-- Inserts the outbox rows of an event (contract/api-events.ts) in the caller's transaction, for those of these users whose
-- systems receive events. `p_object` is the id of the row that it is about: events of one object keep their order.
create or replace function enqueue_api_event(p_users uuid[], p_type text, p_object uuid, p_data jsonb) returns void language plpgsql as $$
begin
  insert into outbox (topic, user_id, payload)
  select 'api-event', listener, jsonb_build_object('type', p_type, 'object', p_object, 'data', p_data)
    from event_listeners(p_users) as listener;
end $$;
