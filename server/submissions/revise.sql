-- Asks the worker once to revise pending work, before its review period ends, and says what is missing. The slot stays the
-- worker's.
create or replace function request_revision(p_submission uuid, p_buyer uuid, p_request text, p_period interval)
returns void language plpgsql as $$
declare
  pending submissions := lock_submission_of(p_submission, p_buyer, null, '{pending}');
begin
  if pending.due_at <= clock_time() then
    perform refuse('deadline_passed.review');
  end if;
  insert into submission_revisions (submission_id, request, text_before, answers_before)
  values (pending.id, p_request, pending.text, pending.answers)
  on conflict do nothing;
  if not found then
    perform refuse('state_conflict.revision_used');
  end if;
  perform change_submission_state(pending.id, 'revision_requested', p_period);
  perform notify_user(pending.worker_id, 'revision_requested',
    jsonb_build_object('title', title, 'request', p_request), pending.id) from tasks where id = pending.task_id;
end $$;

-- Submits the revised work. The buyer reviews it as if it were new. Revised work on an item has answers, and `p_text` is their
-- text form; other work has none.
create or replace function revise_submission(
  p_submission uuid, p_worker uuid, p_text text, p_review interval, p_answers jsonb default null)
returns void language plpgsql as $$
declare
  requested submissions := lock_submission_of(p_submission, null, p_worker, '{revision_requested}');
begin
  if (requested.item_number is null) <> (p_answers is null) then
    perform refuse('state_conflict.revised_form');
  end if;
  update submission_revisions set revised_at = clock_time() where submission_id = requested.id;
  update submissions set text = p_text, answers = p_answers where id = requested.id;
  perform change_submission_state(requested.id, 'pending',
    coalesce((select make_interval(hours => review_hours) from tasks where id = requested.task_id), p_review));
  perform notify_user(requested.buyer_id, 'work_revised', jsonb_build_object(
      'worker', (select name from users where id = p_worker), 'title', title), requested.id)
     from tasks where id = requested.task_id;
end $$;
