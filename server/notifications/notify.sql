-- Inserts a notification and its outbox row in the caller's transaction. contract/notification-kinds.ts has the kinds
-- with their parameters; `p_ref` is the id of the row that the notification is about.
create or replace function notify_user(p_user uuid, p_kind text, p_params jsonb, p_ref uuid) returns void language plpgsql as $$
declare
  notification bigint;
begin
  insert into notifications (user_id, kind, params, ref) values (p_user, p_kind, p_params, p_ref)
  returning id into notification;
  insert into outbox (topic, user_id, notification_id) values ('notification', p_user, notification);
end $$;

-- Notifies many users of one kind of event, each with parameters of their own.
create or replace function notify_users(p_users uuid[], p_kind text, p_params jsonb[], p_refs uuid[]) returns void language sql as $$
  with made as (
    insert into notifications (user_id, kind, params, ref)
    select user_id, p_kind, params, ref from unnest(p_users, p_params, p_refs) as one (user_id, params, ref)
    returning id, user_id)
  insert into outbox (topic, user_id, notification_id) select 'notification', user_id, id from made order by id
$$;

-- Inserts an outbox row for a change of a user's coins or tasks that makes no notification.
create or replace function enqueue_change(p_user uuid, p_task uuid default null) returns void language sql as $$
  insert into outbox (topic, user_id, payload)
  values ('changed', p_user, case when p_task is null then '{}' else jsonb_build_object('task', p_task) end)
$$;

-- Inserts an outbox row for a change of a topic (contract/live.ts) that makes no notification.
create or replace function enqueue_topic(p_user uuid, p_topic text) returns void language sql as $$
  insert into outbox (topic, user_id, payload) values ('changed', p_user, jsonb_build_object('topic', p_topic))
$$;
