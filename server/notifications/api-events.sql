-- Returns whether a user's own systems receive events: by an API key with the scope `events` that is neither revoked nor
-- expired, or at an endpoint that is not ended.
create or replace function has_event_listener(p_user uuid) returns boolean language sql stable as $$
  select (exists (select from webhook_endpoints where user_id = p_user and state <> 'ended')
       or exists (select from api_keys where user_id = p_user and revoked_at is null and expires_at > now() and 'events' = any (scopes)))
     and exists (select from users where id = p_user and role <> 'Admin' and deleted_at is null)
$$;

-- Inserts the outbox row of an event (contract/api-events.ts) in the caller's transaction, for a user whose systems receive
-- events. `p_object` is the id of the row that it is about: events of one object keep their order.
create or replace function enqueue_api_event(p_user uuid, p_type text, p_object uuid, p_data jsonb) returns void language plpgsql as $$
begin
  if has_event_listener(p_user) then
    insert into outbox (topic, user_id, payload)
    values ('api-event', p_user, jsonb_build_object('type', p_type, 'object', p_object, 'data', p_data));
  end if;
end $$;
