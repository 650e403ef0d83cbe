-- Rejects a pending submission of this buyer (docs/specification/submissions.md#rejection). Its slot stays taken and its
-- coins stay in escrow until the appeal window ends; with an appeal window of 0 the rejection is final at once. A buyer
-- who rejects too much needs a reviewer for each rejection. A repeated rejection changes nothing and keeps the first
-- reason; a rejection after an approval or after the review period is refused. Lock order: the buyer, so that each rejection
-- counts those before it, the task, the submission.
create or replace function reject_submission(
  p_submission uuid, p_buyer uuid, p_reason text, p_category rejection_category, p_requirement text,
  p_appeal interval, p_review interval, p_recent int, p_percent int)
returns int language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  is_final boolean := p_appeal = interval '0';
  needs_review boolean;
  rejected submissions;
  title text;
begin
  perform from users where id = p_buyer for no key update;
  if is_final then
    perform from tasks where id = (select task_id from submissions where id = p_submission and buyer_id = p_buyer)
      for no key update;
  end if;
  needs_review := not is_final and not may_reject_alone(p_buyer, p_recent, p_percent);
  update submissions
     set status = case when is_final then 'rejected' when needs_review then 'in_review' else 'rejection_open' end::submission_status,
         reason = p_reason, category = p_category, requirement = p_requirement,
         rejected_at = clock_time(), due_at = clock_time() + case when needs_review then p_review else p_appeal end,
         state_since = clock_time(), reminded_at = null,
         decided_at = case when is_final then clock_time() end, decided_by = case when is_final then 'buyer'::decider end
   where id = p_submission and buyer_id = p_buyer and status = 'pending' and due_at > clock_time()
   returning * into rejected;
  if not found then
    perform existing_decision(p_submission, p_buyer, 'rejected');
    return 1;
  end if;

  if is_final then
    perform free_slot(rejected.task_id, rejected.id);
  end if;
  if needs_review then
    select tasks.title into strict title from tasks where id = rejected.task_id;
    perform notify_user(rejected.worker_id, 'rejection_held', jsonb_build_object('title', title), rejected.id);
  else
    perform notify_of_rejection(rejected);
  end if;
  return 1;
end $$;

-- Notifies the worker of a rejection that counts, and how long they can appeal.
create or replace function notify_of_rejection(p_submission submissions) returns void language sql as $$
  select notify_user(p_submission.worker_id, 'submission_rejected',
    jsonb_build_object('title', title, 'reason', p_submission.reason) ||
      case when p_submission.decided_at is null then jsonb_build_object('appealDays', trim_scale(extract(epoch from p_submission.due_at - clock_time()) / 86400)) else '{}' end,
    p_submission.id) from tasks where id = p_submission.task_id
$$;

-- Returns whether a buyer's rejections count without a reviewer: at most p_percent of their last p_recent decisions are
-- rejections, or fewer than ten are made. A decision has the time of the first one, so an appeal changes nothing. Of a transaction
-- that made more than are still missing to p_recent, its share of rejections counts: a file has no order. Rejections that the
-- buyer took back do not count, and neither does work that nobody had decided when its worker was deleted.
create or replace function may_reject_alone(p_buyer uuid, p_recent int, p_percent int) returns boolean language sql stable as $$
  with decided as (
    select coalesce(rejected_at, decided_at) as at,
           rejected_at is not null and coalesce(decided_by::text, '') not in ('concession', 'reversal') as is_rejection
      from submissions
     where buyer_id = p_buyer and coalesce(rejected_at, decided_at) is not null
       and (rejected_at is not null or decided_by is distinct from 'worker_left')
     order by coalesce(rejected_at, decided_at) desc fetch first p_recent rows with ties
  ),
  counts as (
    select count(*) as decisions, count(*) filter (where is_newer) as newer,
           count(*) filter (where is_rejection and is_newer) as newer_rejections,
           count(*) filter (where is_rejection and not is_newer) as oldest_rejections
      from (select is_rejection, at > min(at) over () as is_newer from decided) as each
  )
  select least(decisions, p_recent) < 10
      or 100 * (newer_rejections + oldest_rejections * (least(decisions, p_recent) - newer)::numeric / nullif(decisions - newer, 0))
         <= p_percent * least(decisions, p_recent)
    from counts
$$;
