-- Refuses a draft that cannot be posted at its time: fields are missing, or the task would close less than an hour later. The
-- background job may be as late.
create or replace function refuse_unpostable(p_draft task_drafts, p_zone text) returns void language plpgsql as $$
begin
  if not p_draft.task ?& array['task_title', 'task_detail', 'required_workers', 'payable_amount', 'completion_date',
                              'submission_info'] then
    perform refuse('invalid_fields.incomplete_draft');
  end if;
  perform refuse_short_posting((p_draft.task ->> 'completion_date')::date, p_draft.post_at, p_zone);
end $$;

-- Refuses a time of posting after which a task would be open for less than an hour.
create or replace function refuse_short_posting(p_completion_date date, p_post_at timestamptz, p_zone text)
returns void language plpgsql as $$
begin
  if end_of_day(p_completion_date, p_zone) < p_post_at + interval '1 hour' then
    perform refuse('deadline_passed.scheduled');
  end if;
end $$;

-- Refuses a time of posting that is over, or more than `p_days_max` days ahead.
create or replace function refuse_post_time(p_post_at timestamptz, p_days_max int) returns void language plpgsql as $$
begin
  if p_post_at <= clock_time() or p_post_at > clock_time() + make_interval(days => p_days_max) then
    perform refuse('invalid_fields.post_at', jsonb_build_object('days', p_days_max));
  end if;
end $$;

-- Sets the time at which a draft is posted, or none. Forgets why an earlier attempt failed. Returns no row for a draft that
-- does not exist.
create or replace function schedule_task_draft(p_draft uuid, p_buyer uuid, p_post_at timestamptz, p_zone text, p_days_max int)
returns setof task_drafts language plpgsql as $$
declare
  draft task_drafts;
begin
  select * into draft from task_drafts where id = p_draft and buyer_id = p_buyer for update;
  if not found then
    return;
  elsif draft.is_template then
    perform refuse('state_conflict.scheduled_template');
  end if;
  perform refuse_post_time(p_post_at, p_days_max);
  draft.post_at := p_post_at;
  if p_post_at is not null then
    perform refuse_unpostable(draft, p_zone);
  end if;
  return query update task_drafts
                  set post_at = p_post_at, refusal = null, failure_code = null, failure_message = null
                where id = p_draft returning *;
end $$;

-- Locks a draft that is due and returns its task and its buyer. Returns no row when it was posted, changed or deleted
-- meanwhile. Lock order: the user, so that a deletion of the buyer happens before or after this transaction, then the draft.
create or replace function claim_due_draft(p_draft uuid)
returns table (buyer_id uuid, email_key text, email_verified boolean, task jsonb) language plpgsql as $$
begin
  perform from users where id = (select task_drafts.buyer_id from task_drafts where id = p_draft) for share;
  return query
    select drafts.buyer_id, identities.email_key, identities.email_verified_at is not null, drafts.task
      from task_drafts as drafts join identities on identities.id = drafts.buyer_id
     where drafts.id = p_draft and drafts.post_at <= clock_time() for update of drafts;
end $$;

-- Notifies a buyer of the task that was posted from their draft.
create or replace function notify_posted_draft(p_buyer uuid, p_task uuid) returns void language sql as $$
  select notify_user(buyer_id, 'scheduled_task_posted', jsonb_build_object('title', title, 'coins', slots * reward), id)
    from tasks where id = p_task and buyer_id = p_buyer
$$;

-- Ends the schedule of a due draft that could not be posted, keeps the reason, and notifies the buyer. Returns false when it
-- is no longer due.
create or replace function refuse_due_draft(p_draft uuid, p_refusal jsonb) returns boolean language plpgsql as $$
declare
  draft task_drafts;
begin
  update task_drafts set post_at = null, refusal = p_refusal
   where id = p_draft and post_at <= clock_time() returning * into draft;
  if not found then
    return false;
  end if;
  perform notify_user(draft.buyer_id, 'scheduled_task_failed',
    jsonb_build_object('title', draft.task ->> 'task_title', 'reason', p_refusal), p_draft);
  return true;
end $$;
