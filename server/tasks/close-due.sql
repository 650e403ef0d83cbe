-- Closes a task whose deadline has passed, refunds the slots left, and notifies the buyer. Returns false when it was
-- closed already, by a deletion or by another instance.
create or replace function close_due_task(p_task uuid) returns boolean language plpgsql as $$
declare
  task tasks;
  refund bigint;
begin
  select * into task from tasks
   where id = p_task and closed_at is null and closes_at <= clock_time() for no key update;
  if not found then
    return false;
  end if;
  refund := close_task(p_task, 'deadline');
  perform notify_user(task.buyer_id, 'task_closed', jsonb_build_object('title', task.title, 'coins', refund), p_task);
  return true;
end $$;
