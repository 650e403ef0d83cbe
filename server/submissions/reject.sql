-- The buyer declines the work, with a reason the worker sees. The same answer again reports the first result, and the
-- first reason stays; after an approval it is refused. Lock order: the task, then the submission.
create or replace function reject_submission(p_submission uuid, p_buyer uuid, p_reason text)
returns int language plpgsql as $$
declare
  work submissions;
  task_title text;
begin
  select title into task_title from tasks
   where id = (select task_id from submissions where id = p_submission and buyer_id = p_buyer)
   for no key update;
  update submissions set status = 'rejected', reason = p_reason, decided_at = clock_time(), decided_by = 'buyer'
   where id = p_submission and buyer_id = p_buyer and status = 'pending'
   returning * into work;
  if not found then
    perform existing_decision(p_submission, p_buyer, 'rejected');
    return 1;
  end if;

  perform free_slot(work.task_id, work.id);
  perform notify_user(work.worker_id, 'submission_rejected',
    jsonb_build_object('title', task_title, 'reason', p_reason), work.id);
  return 1;
end $$;
