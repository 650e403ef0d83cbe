-- The reward of accepted work leaves the task's escrow for the worker. Status, coins and the notice change together or
-- not at all; only the first decision on a pending submission comes here.
create or replace function pay_submission(p_work submissions, p_message text) returns void language plpgsql as $$
begin
  perform transfer('submission_paid', p_work.id,
    (select escrow_id from tasks where id = p_work.task_id),
    (select account_id from users where id = p_work.worker_id), p_work.reward);
  perform notify_user(p_work.worker_id, 'submission_approved', p_message, '/dashboard/approved-task', p_work.id);
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

  perform pay_submission(work, format('Your work on "%s" was approved. You earned %s.',
    (select title from tasks where id = work.task_id), coins_in_words(work.reward)));
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
    perform refuse('submission_not_found', 'This submission does not exist.');
  elsif decided <> p_decision then
    perform refuse('already_decided', format('This submission was already %s.', decided));
  end if;
  return 0;
end $$;
