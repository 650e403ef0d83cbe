-- Returns whether a user may review a submission: an Admin or a user with the permission who is not a party. A worker on the
-- same task is a party.
create or replace function may_review(p_user uuid, p_submission uuid) returns boolean language sql stable as $$
  select exists (
    select from users, submissions
     where users.id = p_user and users.deleted_at is null and (users.role = 'Admin' or users.is_reviewer)
       and submissions.id = p_submission and users.id not in (submissions.buyer_id, submissions.worker_id)
       and not exists (select from submissions as others where others.task_id = submissions.task_id and others.worker_id = users.id))
$$;

-- Opens the review of a submission that is in review, and assigns a reviewer. An unconfirmed rejection does not count
-- before it is upheld.
create or replace function open_review(p_submission uuid, p_unconfirmed boolean) returns void language plpgsql as $$
declare
  opened bigint;
begin
  insert into reviews (submission_id, unconfirmed) values (p_submission, p_unconfirmed) returning id into opened;
  perform assign_review(opened);
end $$;

-- Assigns an open review. Rejections of one task with the same category and reason are one case and have one reviewer.
-- Otherwise a reviewer is chosen at random among those with the fewest open cases who did not miss this review. One who decided an earlier
-- review of this submission gets it only if there is no other. They get a reminder of their own. Without one the review stays
-- unassigned, and is tried again by assignReviews.
create or replace function assign_review(p_review bigint) returns void language plpgsql as $$
declare
  review reviews;
  subject submissions;
  chosen uuid;
begin
  select * into strict review from reviews where id = p_review for no key update;
  select * into strict subject from submissions where id = review.submission_id;

  with candidates as (
    select users.id, exists (select from reviews as earlier where earlier.submission_id = subject.id and earlier.id <> review.id
                                                              and earlier.reviewer_id = users.id) as had_earlier
      from users
     where (users.role = 'Admin' or users.is_reviewer) and users.deleted_at is null  -- the index users_reviewers
       and may_review(users.id, subject.id) and users.id <> all (review.passed_over)
  )
  select candidates.id into chosen from candidates
   cross join lateral (
     select count(distinct (other.task_id, other.category, other.reason, open_reviews.unconfirmed)) as open,
            bool_or(other.task_id = subject.task_id and other.category is not distinct from subject.category
                    and other.reason = subject.reason and open_reviews.round = review.round) as same_case
       from reviews as open_reviews join submissions as other on other.id = open_reviews.submission_id
      where open_reviews.reviewer_id = candidates.id and open_reviews.decided_at is null and other.status = 'in_review'
   ) as load
   order by candidates.had_earlier, coalesce(load.same_case, false) desc, load.open, random() limit 1;

  update reviews set reviewer_id = chosen, assigned_at = case when chosen is not null then clock_time() end where id = review.id;
  if chosen is not null then
    perform clear_reminder(subject.id);
    perform notify_user(chosen, 'review_assigned', jsonb_build_object('title', title), subject.id)
       from tasks where id = subject.task_id;
  end if;
end $$;

-- Gives a submission in review a reviewer where it has none, or none who may review it any more. Returns false when there
-- is nothing to do, or nobody to assign.
create or replace function assign_missing_reviewer(p_submission uuid) returns boolean language plpgsql as $$
declare
  subject submissions := lock_submission(p_submission);
  review reviews;
begin
  if subject.status is distinct from 'in_review' then
    return false;
  end if;
  select * into review from reviews where submission_id = subject.id and decided_at is null for no key update;
  if not found then
    perform open_review(subject.id, not exists (select from appeals where submission_id = subject.id));
  elsif review.reviewer_id is null or not may_review(review.reviewer_id, subject.id) then
    perform enqueue_open_review(subject.id);
    perform assign_review(review.id);
  else
    return false;
  end if;
  return exists (select from reviews where submission_id = subject.id and decided_at is null and reviewer_id is not null);
end $$;
