-- Moves the reward of approved work from the task's escrow to the worker, and notifies the worker. The caller has
-- changed the submission from pending to approved in the same transaction.
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

-- Approves a pending submission of this buyer and pays it (docs/specification/submissions.md). A repeated approval
-- changes nothing and returns modified = 0; an approval after a rejection is refused.
create or replace function approve_submission(p_submission uuid, p_buyer uuid)
returns table (matched int, modified int) language plpgsql as $$
declare
  approved submissions;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'buyer'
   where id = p_submission and buyer_id = p_buyer and status = 'pending'
   returning * into approved;
  if not found then
    return query select 1, existing_decision(p_submission, p_buyer, 'approved');
    return;
  end if;

  perform pay_submission(approved);
  return query select 1, 1;
end $$;

-- Returns 0 when this decision was made before. Refuses when the submission does not exist, is not this buyer's, or was
-- decided differently.
create or replace function existing_decision(p_submission uuid, p_buyer uuid, p_decision submission_status)
returns int language plpgsql as $$
declare
  current_status submission_status;
begin
  select status into current_status from submissions where id = p_submission and buyer_id = p_buyer;
  if not found then
    perform refuse('submission_not_found');
  elsif current_status <> p_decision then
    perform refuse('already_decided.submission', jsonb_build_object('status', current_status));
  end if;
  return 0;
end $$;
