-- Deletes a task, for its buyer or an Admin. It leaves the lists; its history stays. Coins of slots that nobody holds
-- go back; pending work stays in the review list and is paid or refunded when it is decided
-- (docs/specification/tasks.md).
create or replace function delete_task(p_task uuid, p_viewer uuid, p_is_admin boolean)
returns table (deleted int, completed boolean, refund bigint) language plpgsql as $$
declare
  task tasks;
  waiting uuid;
begin
  select * into task from tasks where id = p_task for no key update;
  if not found or (task.buyer_id <> p_viewer and not p_is_admin) then
    perform refuse('task_not_found', 'Task not found!');
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
    perform notify_user(task.buyer_id, 'task_refunded', case when p_is_admin and task.buyer_id <> p_viewer
        then format('An admin deleted your task "%s"; %s came back to you.', task.title, coins_in_words(refund))
        else format('You deleted "%s"; %s came back to you.', task.title, coins_in_words(refund)) end,
      '/dashboard/my-task', p_task);
  elsif p_is_admin and task.buyer_id <> p_viewer then
    perform notify_user(task.buyer_id, 'task_deleted', format('An admin deleted your task "%s".', task.title),
      '/dashboard/my-task', p_task);
  end if;
  if p_is_admin then
    for waiting in select worker_id from submissions where task_id = p_task and status = 'pending' order by id loop
      perform notify_user(waiting, 'task_deleted',
        format('"%s" was closed by an admin. Your submitted work will still be reviewed.', task.title),
        '/dashboard/my-submisson', p_task);
    end loop;
    perform log_admin_action(p_viewer, 'task_deleted', p_task, jsonb_build_object('refund', refund));
  end if;
  return query select 1, completed, refund;
end $$;
