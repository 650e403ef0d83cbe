-- Deliveries (docs/specification/webhooks.md#deliveries). Of the pending deliveries of one endpoint and object only the first
-- has a time at which it is due, so the order of an object's events holds. What adds or finishes a delivery locks its
-- endpoint, so that a new delivery and the end of the one before it cannot miss each other.

-- Adds the deliveries of an event to the user's endpoints that chose its type.
create or replace function queue_webhook_deliveries() returns trigger language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  for endpoint in select * from webhook_endpoints
                   where user_id = new.user_id and state <> 'ended' and new.type = any (events) order by id for no key update loop
    insert into webhook_deliveries (endpoint_id, event_id, type, object_id, payload, event_at, due_at)
    values (endpoint.id, new.id, new.type, new.object_id, new.payload, new.created_at,
      case when endpoint.state = 'active' and not exists (
        select from webhook_deliveries where endpoint_id = endpoint.id and object_id = new.object_id and state = 'pending') then now() end);
  end loop;
  return null;
end $$;
create or replace trigger api_events_deliveries after insert on api_events
  for each row execute function queue_webhook_deliveries();

-- Adds the delivery of a test event, which has an object of its own. Returns its id.
create or replace function test_webhook_endpoint(p_endpoint uuid, p_user uuid) returns uuid language plpgsql as $$
declare
  endpoint webhook_endpoints := lock_webhook_endpoint(p_endpoint, p_user);
  delivery uuid := gen_random_uuid();
begin
  if endpoint.state <> 'active' then
    perform refuse('state_conflict.webhook_paused');
  end if;
  insert into webhook_deliveries (id, endpoint_id, event_id, type, object_id, payload, event_at, due_at)
  values (delivery, p_endpoint, gen_random_uuid(), 'webhook.test', delivery,
          jsonb_build_object('endpointId', p_endpoint), clock_time(), now());
  return delivery;
end $$;

-- Delivers a finished delivery of this user again, with all its attempts. Later ones of its object wait for it.
create or replace function replay_webhook_delivery(p_delivery uuid, p_user uuid) returns void language plpgsql as $$
declare
  replayed webhook_deliveries;
  endpoint webhook_endpoints;
begin
  select webhook_deliveries.* into replayed from webhook_deliveries join webhook_endpoints on webhook_endpoints.id = endpoint_id
   where webhook_deliveries.id = p_delivery and user_id = p_user;
  if not found then
    perform refuse('not_found.webhook_delivery');
  end if;
  endpoint := lock_webhook_endpoint(replayed.endpoint_id, p_user);
  if endpoint.state <> 'active' then
    perform refuse('state_conflict.webhook_paused');
  end if;
  update webhook_deliveries set state = 'pending', attempts = 0, claim = claim + 1, claimed_until = null where id = p_delivery and state <> 'pending';
  if not found then
    perform refuse('state_conflict.webhook_pending');
  end if;
  update webhook_deliveries set due_at = null
   where endpoint_id = endpoint.id and object_id = replayed.object_id and state = 'pending' and due_at is not null;
  perform release_webhook_delivery(endpoint.id, replayed.object_id);
end $$;

-- Makes the first pending delivery of an object due, unless it has a time already.
create or replace function release_webhook_delivery(p_endpoint uuid, p_object uuid) returns void language sql as $$
  update webhook_deliveries set due_at = now()
   where due_at is null and id = (select id from webhook_deliveries
                where endpoint_id = p_endpoint and object_id = p_object and state = 'pending' order by seq limit 1)
$$;

-- Claims deliveries of an active endpoint that are due and returns them with what an attempt needs. A run that dies keeps its claims
-- until the lease ends. Locked rows are being claimed or finished; nothing waits for them.
create or replace function claim_webhook_deliveries(p_endpoint uuid, p_limit int, p_lease interval)
returns table (id uuid, claim int, event_id uuid, type text, payload jsonb, event_at timestamptz, endpoint_id uuid,
  url text, secret bytea, previous_secret bytea) language sql as $$
  with due as (
    select id from webhook_deliveries
     where endpoint_id = p_endpoint and exists (select from webhook_endpoints where id = p_endpoint and state = 'active')
       and due_at <= now() and (claimed_until is null or claimed_until <= now())
     order by due_at, seq limit p_limit for no key update skip locked
  ),
  claimed as (
    update webhook_deliveries set claim = claim + 1, claimed_until = now() + p_lease
     where id in (select id from due) returning *
  )
  select claimed.id, claimed.claim, claimed.event_id, claimed.type, claimed.payload, claimed.event_at, endpoints.id, endpoints.url,
         endpoints.secret, case when endpoints.previous_until > now() then endpoints.previous_secret end
    from claimed join webhook_endpoints as endpoints on endpoints.id = claimed.endpoint_id order by claimed.due_at, claimed.seq
$$;

-- Records an attempt at p_url and its outcome: a 2xx delivers; 410 ends the endpoint, unless its URL was changed meanwhile; anything
-- else is tried again after the pause of its number, and fails after the last one. Test events have one attempt. An endpoint with only failures for `p_pause_after` is
-- paused. A failure whose claim another run has taken over is only recorded. Returns 'ended' or 'paused' when the endpoint was
-- by this attempt, with its name and user.
create or replace function finish_webhook_attempt(
  p_delivery uuid, p_claim int, p_url text, p_status int, p_error text, p_body text, p_duration int, p_retry_delays interval[], p_pause_after interval)
returns table (outcome text, name text, user_id uuid) language plpgsql as $$
declare
  delivery webhook_deliveries;
  endpoint webhook_endpoints;
  is_test boolean;
  is_success boolean;
  has_ended boolean;
begin
  select webhook_endpoints.* into endpoint from webhook_endpoints
   where id = (select endpoint_id from webhook_deliveries where id = p_delivery) for no key update;
  select * into delivery from webhook_deliveries where id = p_delivery for no key update;
  if endpoint.id is null or delivery.id is null then
    return;
  end if;
  insert into webhook_attempts (delivery_id, status, error, body, duration_ms)
  values (p_delivery, p_status, p_error, p_body, p_duration);
  is_success := coalesce(p_status between 200 and 299, false);
  has_ended := p_status is not distinct from 410 and p_url = endpoint.url;
  -- Another run finished it meanwhile, or sends it now and records its own outcome.
  if delivery.state <> 'pending' or (delivery.claim <> p_claim and not is_success and not has_ended) then
    return;
  end if;

  is_test := delivery.type = 'webhook.test';
  update webhook_deliveries
     set attempts = delivery.attempts + 1, due_at = null, claimed_until = null,
         state = case when is_success then 'delivered'
                      when is_test or p_retry_delays[delivery.attempts + 1] is null then 'failed' else 'pending' end
   where id = p_delivery returning * into delivery;
  -- An earlier one is pending if it was replayed while this one was in flight; its end makes this one due.
  if delivery.state = 'pending' and endpoint.state = 'active' then
    update webhook_deliveries set due_at = now() + p_retry_delays[delivery.attempts]
     where id = p_delivery and not exists (
       select from webhook_deliveries as earlier where earlier.endpoint_id = endpoint.id
          and earlier.object_id = delivery.object_id and earlier.state = 'pending' and earlier.seq < delivery.seq);
  end if;

  if has_ended then
    update webhook_endpoints set state = 'ended', paused_because = null where id = endpoint.id and state <> 'ended';
    if found then
      outcome := 'ended';
    end if;
    update webhook_deliveries set state = 'failed', due_at = null where endpoint_id = endpoint.id and state = 'pending';
  elsif delivery.state = 'delivered' then
    update webhook_endpoints set failing_since = null where id = endpoint.id and failing_since is not null;
  elsif not is_test then
    update webhook_endpoints set failing_since = now() where id = endpoint.id and failing_since is null;
    if endpoint.failing_since < now() - p_pause_after and endpoint.state = 'active' then
      update webhook_endpoints set state = 'paused', paused_because = 'failures' where id = endpoint.id;
      outcome := 'paused';
    end if;
  end if;
  if delivery.state <> 'pending' and endpoint.state = 'active' and outcome is null then
    perform release_webhook_delivery(endpoint.id, delivery.object_id);
  end if;

  if outcome is not null then
    perform notify_user(endpoint.user_id, 'webhook_stopped',
      jsonb_build_object('name', endpoint.name, 'cause', case outcome when 'ended' then 'gone' else 'failures' end), endpoint.id);
    name := endpoint.name;
    user_id := endpoint.user_id;
    return next;
  end if;
end $$;
