-- Rejects a pending submission of this buyer with a reason, and frees its slot (docs/specification/submissions.md). A
-- repeated rejection changes nothing and keeps the first reason; a rejection after an approval is refused. Lock order:
-- the task, then the submission.
create or replace function reject_submission(p_submission uuid, p_buyer uuid, p_reason text)
returns int language plpgsql as $$
declare
  rejected submissions;
  task_title text;
begin
  select title into task_title from tasks
   where id = (select task_id from submissions where id = p_submission and buyer_id = p_buyer)
   for no key update;
  update submissions set status = 'rejected', reason = p_reason, decided_at = clock_time(), decided_by = 'buyer'
   where id = p_submission and buyer_id = p_buyer and status = 'pending'
   returning * into rejected;
  if not found then
    perform existing_decision(p_submission, p_buyer, 'rejected');
    return 1;
  end if;

  perform free_slot(rejected.task_id, rejected.id);
  perform notify_user(rejected.worker_id, 'submission_rejected',
    jsonb_build_object('title', task_title, 'reason', p_reason), rejected.id);
  return 1;
end $$;
