-- Locks a submission and its task, in this order, and returns the submission: nulls when there is none.
create or replace function lock_submission(p_submission uuid) returns submissions language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  locked submissions;
begin
  perform from tasks where id = (select task_id from submissions where id = p_submission) for no key update;
  select * into locked from submissions where id = p_submission for no key update;
  return locked;
end $$;

-- Locks a submission for its buyer or its worker (the other id is null) who does something that these states allow.
-- Refuses a submission that is not theirs, and one in another state.
create or replace function lock_submission_of(
  p_submission uuid, p_buyer uuid, p_worker uuid, p_states submission_status[])
returns submissions language plpgsql as $$
declare
  locked submissions := lock_submission(p_submission);
begin
  if locked.id is null or locked.buyer_id <> p_buyer or locked.worker_id <> p_worker then
    perform refuse('submission_not_found');
  elsif locked.status <> all (p_states) then
    perform refuse('state_conflict.submission', jsonb_build_object('state', locked.status));
  end if;
  return locked;
end $$;

-- Changes the state of a locked submission to one that is not final, with a deadline.
create or replace function change_submission_state(p_submission uuid, p_status submission_status, p_due_in interval)
returns submissions language sql as $$
  update submissions set status = p_status, due_at = clock_time() + p_due_in, state_since = clock_time(), reminded_at = null
   where id = p_submission returning *
$$;

-- Sends the reviewer of a submission's open review an event: the review changes or ends.
create or replace function enqueue_open_review(p_submission uuid) returns void language sql as $$
  select enqueue_topic(reviewer_id, 'submissions') from reviews
   where submission_id = p_submission and decided_at is null and reviewer_id is not null
$$;

-- Makes the rejection of a locked submission final and frees its slot. Where the buyer had paid for another slot
-- meanwhile, this one is withdrawn and its coins go back to them.
create or replace function finalize_rejection(p_submission uuid, p_decided_by decider) returns void language plpgsql as $$
declare
  rejected submissions;
  task tasks;
begin
  update submissions set status = 'rejected', decided_at = clock_time(), decided_by = p_decided_by
   where id = p_submission returning * into strict rejected;
  if rejected.slot_reopened then
    perform withdraw_slot(rejected.task_id, rejected.id);
  else
    perform free_slot(rejected.task_id, rejected.id);
  end if;

  select * into strict task from tasks where id = rejected.task_id;
  if p_decided_by <> 'worker' then
    perform notify_user(rejected.worker_id, 'rejection_final',
      jsonb_build_object('title', task.title, 'recipient', 'worker', 'decidedBy', p_decided_by, 'refunded', 0), rejected.id);
  end if;
  perform notify_user(rejected.buyer_id, 'rejection_final',
    jsonb_build_object('title', task.title, 'recipient', 'buyer', 'decidedBy', p_decided_by, 'refunded',
      case when rejected.slot_reopened or task.closed_at is not null then rejected.reward else 0 end), rejected.id);
end $$;
