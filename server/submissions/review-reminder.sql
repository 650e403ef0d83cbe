-- Returns when the side that a state waits for gets a reminder: a day before the deadline, or halfway through a period
-- shorter than two days.
create or replace function deadline_reminder_at(p_since timestamptz, p_due_at timestamptz)
returns timestamptz language sql immutable as $$
  select p_due_at - least(interval '1 day', (p_due_at - p_since) / 2)
$$;

-- Returns whether the reminder of a submission's deadline is due and was not sent.
create or replace function reminder_is_due(p_submission submissions) returns boolean language sql stable as $$
  select p_submission.reminded_at is null and p_submission.due_at > clock_time()
     and deadline_reminder_at(coalesce(p_submission.state_since, p_submission.created_at), p_submission.due_at) <= clock_time()
$$;

-- Reminds a buyer once, in one notification, of all their pending work that is due for a reminder. Returns false when
-- there is none, or another transaction reminds the buyer now: two would each lock a part of the work.
create or replace function remind_buyer(p_buyer uuid) returns boolean language plpgsql as $$
declare
  reminded_count bigint;
  first uuid;
  title text;
begin
  if not pg_try_advisory_xact_lock(7461073, hashtext(p_buyer::text)) then
    return false;
  end if;
  with due as (
    select id from submissions
     where buyer_id = p_buyer and status = 'pending' and reminder_is_due(submissions)
     order by id for update skip locked
  ), reminded as (
    update submissions set reminded_at = clock_time() where id in (select id from due) returning id, task_id, due_at
  )
  select count(*), (array_agg(id order by due_at))[1],
         (array_agg((select tasks.title from tasks where tasks.id = reminded.task_id) order by due_at))[1]
    into reminded_count, first, title from reminded;
  if reminded_count = 0 then
    return false;
  end if;
  perform notify_user(p_buyer, 'review_near', jsonb_build_object('count', reminded_count, 'title', title), first);
  return true;
end $$;

-- Reminds the worker of a requested revision or of the end of an appeal window, or the buyer of an appeal, once. Returns
-- false when it is not due or was done.
create or replace function remind_of_deadline(p_submission uuid) returns boolean language plpgsql as $$
declare
  due submissions;
begin
  update submissions set reminded_at = clock_time()
   where id = p_submission and status in ('revision_requested', 'rejection_open', 'appealed') and reminder_is_due(submissions)
   returning * into due;
  if not found then
    return false;
  end if;
  perform notify_user(case when due.status = 'appealed' then due.buyer_id else due.worker_id end, 'deadline_near',
      jsonb_build_object('title', title, 'state', due.status), due.id) from tasks where id = due.task_id;
  return true;
end $$;

-- Notes that the reminder of a locked submission's deadline was sent.
create or replace function mark_reminded(p_submission uuid) returns void language sql as $$
  update submissions set reminded_at = clock_time() where id = p_submission
$$;

-- Lets the reminder of a locked submission's deadline be sent again, to the user who acts in place of the reminded one.
create or replace function clear_reminder(p_submission uuid) returns void language sql as $$
  update submissions set reminded_at = null where id = p_submission and reminded_at is not null
$$;
