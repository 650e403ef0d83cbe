-- Deletes a task, for its buyer or an Admin (docs/specification/tasks.md): it disappears from the lists and its history
-- stays. Coins of the slots left are refunded; pending work stays in the review list until it is decided.
create or replace function delete_task(p_task uuid, p_viewer uuid, p_is_admin boolean)
returns table (deleted int, completed boolean, refund bigint) language plpgsql as $$
declare
  task tasks;
  workers uuid[];
begin
  select * into task from tasks where id = p_task for no key update;
  if not found or (task.buyer_id <> p_viewer and not p_is_admin
                   and (task.deleted_at is not null or task.listed_from = 'infinity')) then
    perform refuse('task_not_found');
  elsif task.buyer_id <> p_viewer and not p_is_admin then
    perform refuse('not_yours');
  end if;
  select balance = 0 into strict completed from ledger_accounts where id = task.escrow_id;
  if task.deleted_at is not null then
    return query select 0, completed, 0::bigint;
    return;
  end if;

  refund := close_task(p_task, 'deleted');
  update tasks set deleted_at = clock_time() where id = p_task;
  perform enqueue_change(task.buyer_id, p_task);

  if refund > 0 then
    perform notify_user(task.buyer_id, 'task_refunded',
      jsonb_build_object('title', task.title, 'coins', refund, 'byAdmin', task.buyer_id <> p_viewer), p_task);
  elsif task.buyer_id <> p_viewer then
    perform notify_user(task.buyer_id, 'task_deleted',
      jsonb_build_object('title', task.title, 'recipient', 'buyer'), p_task);
  end if;
  if p_is_admin then
    -- Work that was rejected, also where its rejection is not final, waits for no review by the buyer.
    workers := array(select distinct worker_id from submissions
                      where task_id = p_task and status not in ('approved', 'rejected') and rejected_at is null);
    perform notify_users(workers, 'task_deleted',
      array_fill(jsonb_build_object('title', task.title, 'recipient', 'worker'), array[cardinality(workers)]),
      array_fill(p_task, array[cardinality(workers)]));
    perform log_admin_action(p_viewer, 'task_deleted', p_task, jsonb_build_object('refund', refund));
  end if;
  return query select 1, completed, refund;
end $$;
