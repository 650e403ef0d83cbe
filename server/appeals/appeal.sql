-- Appeals a rejection within its window (docs/specification/appeals.md). The buyer then concedes or defends it in
-- p_response. A worker who lost p_lost of their last ten appeals has one open appeal at a time. Lock order: the worker, so
-- that concurrent appeals count one another, then the task and the submission.
create or replace function open_appeal(
  p_submission uuid, p_worker uuid, p_text text, p_pictures text[], p_response interval, p_lost int)
returns void language plpgsql as $$
declare
  rejected submissions;
  lost bigint;
begin
  perform from users where id = p_worker for no key update;
  rejected := lock_submission_of(p_submission, null, p_worker, '{rejection_open}');
  if exists (select from unnest(p_pictures) as picture where not exists (select from images where url = picture)) then
    perform refuse('invalid_image');
  end if;
  select count(*) filter (where status = 'rejected') into lost
    from (select submissions.status from appeals join submissions on submissions.id = appeals.submission_id
           where appeals.worker_id = p_worker and submissions.status in ('approved', 'rejected')
           order by appeals.created_at desc limit 10) as latest;
  if lost >= p_lost and exists (
    select from appeals join submissions on submissions.id = appeals.submission_id
     where appeals.worker_id = p_worker and submissions.status in ('appealed', 'in_review')) then
    perform refuse('state_conflict.appeals');
  end if;

  insert into appeals (submission_id, worker_id, text, pictures) values (rejected.id, p_worker, p_text, p_pictures);
  perform change_submission_state(rejected.id, 'appealed', p_response);
  perform notify_user(rejected.buyer_id, 'appeal_opened', jsonb_build_object(
      'worker', (select name from users where id = p_worker), 'title', title), rejected.id)
     from tasks where id = rejected.task_id;
end $$;

-- Defends a rejection that was appealed, on behalf of its buyer and before the time to respond ends: a reviewer decides it
-- within p_review.
create or replace function defend_rejection(p_submission uuid, p_buyer uuid, p_text text, p_review interval)
returns void language plpgsql as $$
declare
  appealed submissions := lock_submission_of(p_submission, p_buyer, null, '{appealed}');
begin
  if appealed.due_at <= clock_time() then
    perform refuse('deadline_passed.defence');
  end if;
  update appeals set defence = p_text, defended_at = clock_time() where submission_id = appealed.id;
  perform change_submission_state(appealed.id, 'in_review', p_review);
  perform open_review(appealed.id, false);
  perform notify_user(appealed.worker_id, 'rejection_defended', jsonb_build_object('title', title), appealed.id)
     from tasks where id = appealed.task_id;
end $$;
