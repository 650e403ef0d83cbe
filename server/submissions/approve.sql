-- Moves the reward of approved work from the task's escrow to the worker, and notifies the worker. The caller has
-- just changed the submission from pending to approved in the same transaction.
create or replace function pay_submission(p_submission submissions) returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into strict task from tasks where id = p_submission.task_id;
  perform transfer('submission_paid', p_submission.id, task.escrow_id,
    (select account_id from users where id = p_submission.worker_id), p_submission.reward);
  perform notify_user(p_submission.worker_id, 'submission_approved',
    jsonb_build_object('title', task.title, 'coins', p_submission.reward, 'decidedBy', p_submission.decided_by), p_submission.id);
end $$;

-- The buyer accepts the work. The same answer again reports the first result; another answer after it is refused.
create or replace function approve_submission(p_submission uuid, p_buyer uuid)
returns table (matched int, modified int) language plpgsql as $$
declare
  work submissions;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'buyer'
   where id = p_submission and buyer_id = p_buyer and status = 'pending'
   returning * into work;
  if not found then
    return query select 1, existing_decision(p_submission, p_buyer, 'approved');
    return;
  end if;

  perform pay_submission(work);
  return query select 1, 1;
end $$;

-- Answers 0 (nothing changed) when this decision was made before; refuses when the work is not there, not this
-- buyer's, or was decided the other way.
create or replace function existing_decision(p_submission uuid, p_buyer uuid, p_decision submission_status)
returns int language plpgsql as $$
declare
  decided submission_status;
begin
  select status into decided from submissions where id = p_submission and buyer_id = p_buyer;
  if not found then
    perform refuse('submission_not_found');
  elsif decided <> p_decision then
    perform refuse('already_decided.submission', jsonb_build_object('status', decided));
  end if;
  return 0;
end $$;
