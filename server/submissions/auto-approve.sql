-- Approves a pending submission whose review period has ended, pays the worker, and notifies both. Returns false when
-- it was decided already, by the buyer or by another instance.
create or replace function approve_due_submission(p_submission uuid) returns boolean language plpgsql as $$
declare
  approved submissions;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'time'
   where id = p_submission and status = 'pending' and review_by <= clock_time()
   returning * into approved;
  if not found then
    return false;
  end if;

  perform pay_submission(approved);
  perform notify_user(approved.buyer_id, 'approved_by_time', jsonb_build_object(
      'worker', (select name from users where id = approved.worker_id),
      'title', (select title from tasks where id = approved.task_id),
      'coins', approved.reward), approved.id);
  return true;
end $$;
