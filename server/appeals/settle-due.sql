-- Returns whether a reviewer had a review for at least a day before its deadline.
create or replace function had_review_for_a_day(p_assigned_at timestamptz, p_due_at timestamptz)
returns boolean language sql stable as $$
  select p_assigned_at <= p_due_at - interval '1 day'
$$;

-- Applies the deadline of an appeal (docs/specification/submissions.md#states): the worker is paid if the buyer does not respond,
-- or if neither of two reviewers decides in time. A reviewer who got the case in the last day before the first deadline has not
-- missed it, and may get the second period. Returns false when it is not due any more.
create or replace function settle_due_appeal(p_submission uuid, p_second_review interval) returns boolean language plpgsql as $$
declare
  due submissions := lock_submission(p_submission);
  review reviews;
begin
  if due.due_at > clock_time() or due.status not in ('appealed', 'in_review') then
    return false;
  end if;
  select * into review from reviews where submission_id = due.id and decided_at is null for no key update;
  perform enqueue_open_review(due.id);

  if due.status = 'in_review' and coalesce(review.round, 1) = 1 then
    perform change_submission_state(due.id, 'in_review', p_second_review);
    if review.id is null then
      insert into reviews (submission_id, unconfirmed, round, second_round_at)
      values (due.id, not exists (select from appeals where submission_id = due.id), 2, clock_time()) returning * into review;
    else
      update reviews
         set round = 2, second_round_at = clock_time(), reviewer_id = null,
             passed_over = case when had_review_for_a_day(assigned_at, due.due_at) then passed_over || reviewer_id
                           else passed_over end
       where id = review.id;
    end if;
    perform assign_review(review.id);
    perform enqueue_topic(due.buyer_id, 'submissions');
    perform enqueue_topic(due.worker_id, 'submissions');
    return true;
  end if;

  perform approve_locked_submission(due.id, case when due.status = 'appealed' then 'silence' else 'no_reviewer' end::decider);
  perform notify_user(due.buyer_id, 'rejection_lapsed', jsonb_build_object('title', title, 'state', due.status), due.id)
     from tasks where id = due.task_id;
  return true;
end $$;

-- Reminds the reviewer of an open review a day before its deadline, once. Returns false when it is not due or was done.
create or replace function remind_reviewer(p_submission uuid) returns boolean language plpgsql as $$
declare
  due submissions := lock_submission(p_submission);
  reviewer uuid;
begin
  if due.status is distinct from 'in_review' or not reminder_is_due(due) then
    return false;
  end if;
  perform mark_reminded(due.id);
  select reviewer_id into reviewer from reviews where submission_id = due.id and decided_at is null;
  if reviewer is not null then
    perform notify_user(reviewer, 'deadline_near', jsonb_build_object('title', title, 'state', due.status), due.id)
       from tasks where id = due.task_id;
  end if;
  return true;
end $$;
