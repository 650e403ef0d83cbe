-- Says that a person's task or coins changed where nobody is told a sentence about it. Live pages follow.
create or replace function enqueue_change(p_user uuid, p_task uuid default null) returns void language sql as $$
  insert into outbox (topic, user_id, payload)
  values ('changed', p_user, case when p_task is null then '{}' else jsonb_build_object('task', p_task) end)
$$;

-- What of a person's pages a kind of notice is about.
create or replace function live_topic_of(p_kind text) returns text language sql immutable as $$
  select case
    when p_kind in ('work_received', 'submission_approved', 'submission_rejected', 'review_near', 'approved_by_time',
                    'worker_left')
      then 'submissions'
    when p_kind like 'task%' then 'tasks'
    when p_kind like 'withdrawal%' then 'withdrawals'
    when p_kind like 'role%' then 'person'
    when p_kind like 'contact%' then 'contact'
    else 'payments'
  end
$$;

-- Moves what waits in the outbox on: to live pages as numbered events, and to the caller what is to be mailed, all in
-- the caller's transaction. One relay at a time; where another is at work this one moves nothing.
create or replace function relay_outbox(p_limit int)
returns table (moved int, mails jsonb, notices jsonb) language plpgsql as $$
declare
  head bigint;
begin
  select seq into head from live_sequence for update skip locked;
  if not found then
    return query select 0, '[]'::jsonb, '[]'::jsonb;
    return;
  end if;

  return query
  with taken as (
    delete from outbox where id in (select id from outbox order by id limit p_limit for update skip locked)
    returning id, topic, user_id, notification_id, payload
  ),
  told as (
    select taken.user_id, notice.id, notice.kind, notice.message, notice.action_route, notice.created_at, notice.ref,
           live_topic_of(notice.kind) as about
      from taken join notifications as notice on notice.id = taken.notification_id
  ),
  work as (
    select told.user_id as told_to, submissions.worker_id, submissions.buyer_id, submissions.task_id
      from told join submissions on submissions.id = told.ref where told.about = 'submissions'
  ),
  touched (user_id, about) as (
    select user_id, about from told
    union select buyer_id, 'submissions' from work where buyer_id <> told_to
    union select worker_id, 'submissions' from work where worker_id <> told_to
    union select taken.user_id, 'tasks' from taken where topic = 'changed'
  ),
  for_people as (
    select touched.user_id, jsonb_build_object(
             'about', jsonb_agg(distinct touched.about), 'coin', min(accounts.balance),
             'notices', coalesce((
               select jsonb_agg(jsonb_build_object('_id', told.id::text, 'message', told.message, 'time',
                        to_char(told.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                        'actionRoute', told.action_route, 'read', false) order by told.id)
                 from told where told.user_id = touched.user_id), '[]')) as body
      from touched join users on users.id = touched.user_id join ledger_accounts as accounts on accounts.id = users.account_id
     where users.deleted_at is null
     group by touched.user_id
  ),
  changed_tasks (task_id) as (
    select task_id from work
    union select ref from told where about = 'tasks'
    union select (payload->>'task')::uuid from taken where topic = 'changed' and payload ? 'task'
  ),
  for_watchers as (
    select null::uuid as user_id, jsonb_build_object('tasks', jsonb_agg(jsonb_build_object(
             '_id', tasks.id, 'worker', tasks.slots_left, 'isClosed', tasks.closed_at is not null))) as body
      from changed_tasks join tasks on tasks.id = changed_tasks.task_id
    having count(*) > 0
  ),
  numbered as (
    insert into live_events (seq, user_id, body)
    select head + row_number() over (), events.user_id, events.body
      from (select * from for_people union all select * from for_watchers) as events
    returning seq
  ),
  counted as (
    update live_sequence set seq = head + (select count(*) from numbered) where exists (select from numbered)
  )
  select (select count(*)::int from taken),
         coalesce((select jsonb_agg(taken.payload order by taken.id) from taken where topic = 'mail'), '[]'),
         coalesce((select jsonb_agg(jsonb_build_object('notice', told.id, 'kind', told.kind, 'user', told.user_id) order by told.id)
                     from told), '[]');
end $$;
