-- Moves a batch out of the outbox in the caller's transaction: live pages get numbered events, users' own systems get theirs,
-- and the caller gets the emails and the notifications, each with its id, kind, user and group. A group of notifications is
-- taken whole, so that a batch may be larger than its limit. `p_topics` maps a notification's kind to its live topic. One relay
-- runs at a time; a second one returns at once with nothing. Every instance is notified when the transaction commits. NOTIFY
-- serializes commits, so transfers never use it; relays run one at a time anyway.
create or replace function relay_outbox(p_limit int, p_topics jsonb)
returns table (moved int, mails jsonb, notifications json) language plpgsql as $$
declare
  head bigint;
begin
  select seq into head from live_sequence for update skip locked;
  if not found then
    return query select 0, '[]'::jsonb, '[]'::json;
    return;
  end if;

  return query
  with taken as (
    delete from outbox where id = any (array(select id from outbox order by id limit p_limit for update skip locked))
    returning id, topic, user_id, notification_id, payload, created_at
  ),
  taken_groups as (
    delete from outbox_groups where id = any (array(
      select id from (select id, sum(size) over (order by id) - size as before from outbox_groups order by id limit p_limit) as waiting
       where before < p_limit))
    returning id, size, notification_ids
  ),
  recorded as (
    insert into api_events (user_id, type, object_id, payload, created_at)
    select user_id, payload ->> 'type', (payload ->> 'object')::uuid, payload -> 'data', created_at
      from taken where topic = 'api-event' order by id
  ),
  taken_notifications (id, group_id) as (
    select notification_id, null::bigint from taken where notification_id is not null
    union all select unnest(notification_ids), id from taken_groups
  ),
  notified as (
    select notification.*, group_id, p_topics ->> notification.kind as topic
      from taken_notifications join notifications as notification on notification.id = taken_notifications.id
  ),
  -- Not for groups: the caller of notify_users enqueues other users' topics.
  decided as (
    select notified.user_id as recipient, submissions.worker_id, submissions.buyer_id, submissions.task_id
      from notified join submissions on submissions.id = notified.ref where notified.topic = 'submissions' and group_id is null
  ),
  changes (user_id, topic) as (
    select user_id, topic from notified
    union select buyer_id, 'submissions' from decided where buyer_id <> recipient
    union select worker_id, 'submissions' from decided where worker_id <> recipient
    union select taken.user_id, coalesce(payload ->> 'topic', 'tasks') from taken where topic = 'changed'
  ),
  -- Grouped in one pass: a subquery for each user would read all notifications of the batch again. As json, of which a body is made
  -- once: jsonb would be copied into each level.
  user_parts as (
    select user_id, topic, null::bigint as id, null::json as notice from changes
    union all
    select user_id, null, id, json_build_object('id', id::text, 'kind', kind, 'params', params, 'message', message,
             'action_route', action_route, 'ref', ref, 'read', false, 'created_at', iso_time(created_at))
      from notified
  ),
  user_changes as (
    select user_id, json_agg(topic order by topic) filter (where topic is not null) as topics,
           json_agg(notice order by id) filter (where notice is not null) as notices
      from user_parts group by user_id
  ),
  -- `offset 0`: PostgreSQL would read all users of a small marketplace for a join, also for one notification.
  user_events as (
    select user_changes.user_id, json_build_object('about', coalesce(topics, '[]'), 'coin', accounts.balance,
             'notices', coalesce(notices, '[]'))::jsonb as body
      from user_changes
      cross join lateral (select account_id from users where id = user_changes.user_id and deleted_at is null offset 0) as users
      cross join lateral (select balance from ledger_accounts where id = users.account_id offset 0) as accounts
  ),
  changed_tasks (task_id) as (
    select task_id from decided
    union select ref from notified where topic = 'tasks'
    union select (payload->>'task')::uuid from taken where topic = 'changed' and payload ? 'task'
  ),
  task_event as (
    select null::uuid as user_id, jsonb_build_object('tasks', jsonb_agg(jsonb_build_object(
             '_id', tasks.id, 'worker', tasks.slots_left, 'isClosed', tasks.closed_at is not null))) as body
      from changed_tasks join tasks on tasks.id = changed_tasks.task_id
     where tasks.listed_from <= clock_time() -- in no list before
    having count(*) > 0
  ),
  numbered as (
    insert into live_events (seq, user_id, body)
    select head + row_number() over (), events.user_id, events.body
      from (select * from user_events union all select * from task_event) as events
    returning seq
  ),
  counted as (
    update live_sequence set seq = head + (select count(*) from numbered) where exists (select from numbered)
  )
  select (select count(*) from taken)::int + (select coalesce(sum(size), 0) from taken_groups)::int,
         coalesce((select jsonb_agg(taken.payload order by taken.id) from taken where topic = 'mail'), '[]'),
         coalesce((select json_agg(json_build_array(id, kind, user_id, group_id) order by id) from notified), '[]');
  perform pg_notify('relayed', '');
end $$;
