-- Returns when the buyer is reminded of pending work: a day before its automatic approval, or halfway through a review
-- period shorter than two days.
create or replace function review_reminder_at(p_created_at timestamptz, p_review_by timestamptz)
returns timestamptz language sql immutable as $$
  select p_review_by - least(interval '1 day', (p_review_by - p_created_at) / 2)
$$;

-- Reminds a buyer once, in one notification, of all their pending work that is due for a reminder. Returns whether there
-- was any.
create or replace function remind_buyer(p_buyer uuid) returns boolean language plpgsql as $$
declare
  reminded_count bigint;
  first uuid;
  title text;
begin
  with due as (
    select id from submissions
     where buyer_id = p_buyer and status = 'pending' and reminded_at is null
       and review_by > clock_time() and review_reminder_at(created_at, review_by) <= clock_time()
     order by id for update skip locked
  ), reminded as (
    update submissions set reminded_at = clock_time() where id in (select id from due) returning id, task_id, review_by
  )
  select count(*), (array_agg(id order by review_by))[1],
         (array_agg((select tasks.title from tasks where tasks.id = reminded.task_id) order by review_by))[1]
    into reminded_count, first, title from reminded;
  if reminded_count = 0 then
    return false;
  end if;
  perform notify_user(p_buyer, 'review_near', jsonb_build_object('count', reminded_count, 'title', title), first);
  return true;
end $$;
