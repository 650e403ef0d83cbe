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

-- Notifies many users of one kind of event, each with parameters of their own. Several notifications of one user make one email
-- (docs/decisions/0076-one-email-per-approval-of-many.md). The caller enqueues the topics of other users. A group has about a
-- thousand notifications, all of each of its users: a relay takes it whole.
create or replace function notify_users(p_users uuid[], p_kind text, p_params jsonb[], p_refs uuid[]) returns void language sql as $$
  with made as (
    insert into notifications (user_id, kind, params, ref)
    select user_id, p_kind, params, ref from unnest(p_users, p_params, p_refs) as one (user_id, params, ref)
    returning id, user_id)
  insert into outbox_groups (notification_ids)
  select array_agg(id order by id) from (select id, (rank() over (order by user_id) - 1) / 1000 as part from made) as parts
   group by part order by part
$$;

-- Notifies a user of items of a batch (docs/decisions/0093-counted-notifications.md): further ones of the same kind and task count
-- the notification up while it is unread, and coins are added up. Kinds without coins have null. The lock of the group's row keeps
-- two transactions from making two notifications.
create or replace function notify_of_items(p_user uuid, p_kind text, p_task uuid, p_title text, p_count bigint, p_coins bigint)
returns void language plpgsql as $$
declare
  counted bigint;
begin
  insert into notification_groups (user_id, kind, ref) values (p_user, p_kind, p_task) on conflict do nothing;
  select notification_id into counted from notification_groups
   where user_id = p_user and kind = p_kind and ref = p_task for no key update;
  update notifications
     set params = params || jsonb_strip_nulls(jsonb_build_object(
           'count', (params->>'count')::bigint + p_count, 'coins', (params->>'coins')::bigint + p_coins))
   where id = counted and read_at is null;
  if found then
    perform enqueue_topic(p_user, topic) from unnest(array['submissions', 'notifications']) as topic;
    return;
  end if;
  insert into notifications (user_id, kind, params, ref)
  values (p_user, p_kind, jsonb_strip_nulls(jsonb_build_object('title', p_title, 'count', p_count, 'coins', p_coins)), p_task)
  returning id into counted;
  insert into outbox (topic, user_id, notification_id) values ('notification', p_user, counted);
  update notification_groups set notification_id = counted where user_id = p_user and kind = p_kind and ref = p_task;
end $$;

-- Notifies users of items of batches as `notify_of_items` does, each for a task of theirs: one row for a user and a task. The coins may be
-- null. Locks the groups in the order of users and tasks.
create or replace function notify_users_of_items(
  p_users uuid[], p_kind text, p_tasks uuid[], p_titles text[], p_counts bigint[], p_coins bigint[])
returns void language plpgsql as $$
begin
  -- The condition is never true: it locks the group that another transaction has made, in the same order as those that are new.
  insert into notification_groups as known (user_id, kind, ref)
  select user_id, p_kind, task from unnest(p_users, p_tasks) as one (user_id, task) order by user_id, task
  on conflict (user_id, kind, ref) do update set notification_id = known.notification_id where false;

  with counted as (
    update notifications
       set params = params || jsonb_strip_nulls(jsonb_build_object(
             'count', (params->>'count')::bigint + one.items, 'coins', (params->>'coins')::bigint + one.coins))
      from unnest(p_users, p_tasks, p_counts, p_coins) as one (user_id, task, items, coins)
      join notification_groups as known on known.user_id = one.user_id and known.kind = p_kind and known.ref = one.task
     where notifications.id = known.notification_id and read_at is null
    returning notifications.user_id, notifications.ref
  ),
  topics as (
    insert into outbox (topic, user_id, payload)
    select distinct 'changed', user_id, jsonb_build_object('topic', topic)
      from counted cross join unnest(array['submissions', 'notifications']) as topic
  ),
  made as (
    insert into notifications (user_id, kind, params, ref)
    select user_id, p_kind, jsonb_strip_nulls(jsonb_build_object('title', title, 'count', items, 'coins', coins)), task
      from unnest(p_users, p_tasks, p_titles, p_counts, p_coins) as one (user_id, task, title, items, coins)
     where (user_id, task) not in (select user_id, ref from counted)
    returning id, user_id, ref
  ),
  queued as (
    insert into outbox (topic, user_id, notification_id) select 'notification', user_id, id from made order by id
  )
  update notification_groups as known set notification_id = made.id
    from made where known.user_id = made.user_id and known.kind = p_kind and known.ref = made.ref;
end $$;

-- Inserts an outbox row for a change of a user's coins or tasks that makes no notification.
create or replace function enqueue_change(p_user uuid, p_task uuid default null) returns void language sql as $$
  insert into outbox (topic, user_id, payload)
  values ('changed', p_user, case when p_task is null then '{}' else jsonb_build_object('task', p_task) end)
$$;

-- Inserts an outbox row for a change of a topic (contract/live.ts) that makes no notification.
create or replace function enqueue_topic(p_user uuid, p_topic text) returns void language sql as $$
  insert into outbox (topic, user_id, payload) values ('changed', p_user, jsonb_build_object('topic', p_topic))
$$;

-- Updates the open pages with payouts and withdrawal requests, by which Admins send money: those of all Admins but the one who made
-- the change (null: no Admin did).
create or replace function enqueue_payout_change(p_admin uuid) returns void language plpgsql as $$
begin
  perform enqueue_topic(id, 'withdrawals') from users where role = 'Admin' and deleted_at is null and id is distinct from p_admin;
end $$;
