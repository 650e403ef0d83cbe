-- Nobody reviewed the work in time: it is approved, the worker is paid, and both are told. Answers whether it was this
-- call that decided; the buyer or another instance may have been first.
create or replace function approve_due_submission(p_submission uuid) returns boolean language plpgsql as $$
declare
  work submissions;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'time'
   where id = p_submission and status = 'pending' and review_by <= clock_time()
   returning * into work;
  if not found then
    return false;
  end if;

  perform pay_submission(work);
  perform notify_user(work.buyer_id, 'approved_by_time', jsonb_build_object(
      'worker', (select name from users where id = work.worker_id),
      'title', (select title from tasks where id = work.task_id),
      'coins', work.reward), work.id);
  return true;
end $$;
