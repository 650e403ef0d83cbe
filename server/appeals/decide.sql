-- Decides a review (docs/specification/appeals.md). `overturned` pays the worker. `upheld` makes the rejection final, or,
-- where it was reviewed before it counted, opens its appeal window. Only the assigned reviewer decides, and never one who
-- is on a side. Returns the review. The caller has locked the task and the submission, and logs the decision.
create or replace function decide_review(
  p_submission uuid, p_reviewer uuid, p_decision review_decision, p_reason text, p_appeal interval)
returns reviews language plpgsql as $$
declare
  subject submissions;
  review reviews;
begin
  select * into subject from submissions where id = p_submission;
  select * into review from reviews where submission_id = p_submission order by id desc limit 1;
  if subject.id is null or review.id is null then
    perform refuse('submission_not_found');
  elsif review.decided_at is not null or subject.status <> 'in_review' then
    perform refuse('already_decided.review');
  elsif not may_review(p_reviewer, p_submission) then
    perform refuse('not_yours.review_side');
  elsif review.reviewer_id is distinct from p_reviewer then
    perform refuse('not_yours.review');
  end if;

  update reviews set decision = p_decision, reason = p_reason, decided_at = clock_time() where id = review.id;
  if p_decision = 'overturned' then
    perform approve_locked_submission(subject.id, 'reviewer');
    perform notify_user(subject.buyer_id, 'rejection_overturned', jsonb_build_object('title', title, 'reason', p_reason), subject.id)
       from tasks where id = subject.task_id;
  elsif review.unconfirmed then
    perform notify_of_rejection(change_submission_state(subject.id, 'rejection_open', p_appeal));
    perform notify_user(subject.buyer_id, 'rejection_confirmed', jsonb_build_object('title', title), subject.id)
       from tasks where id = subject.task_id;
  else
    perform finalize_rejection(subject.id, 'reviewer');
  end if;
  return review;
end $$;

-- Decides the reviews of several submissions in one transaction, in order of their ids. Each decision is logged as an act of this
-- reviewer. Lock order: the tasks by id, the submissions by id, what each decision moves, the audit log.
create or replace function decide_reviews(
  p_submissions uuid[], p_reviewer uuid, p_decision review_decision, p_reason text, p_appeal interval)
returns void language plpgsql as $$
declare
  subject uuid;
  review reviews;
  decided reviews[] := '{}';
begin
  perform from tasks where id in (select task_id from submissions where id = any (p_submissions)) order by id for no key update;
  perform from submissions where id = any (p_submissions) order by id for no key update;
  for subject in select distinct id from unnest(p_submissions) as id order by id loop
    decided := decided || decide_review(subject, p_reviewer, p_decision, p_reason, p_appeal);
  end loop;
  perform enqueue_topic(p_reviewer, 'submissions');
  foreach review in array decided loop
    perform log_admin_action(p_reviewer, 'review_decided', review.submission_id,
      jsonb_build_object('decision', p_decision, 'reason', p_reason, 'unconfirmed', review.unconfirmed));
  end loop;
end $$;
