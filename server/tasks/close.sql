-- Closes an open task: no slot can be taken any more, and the coins of the slots left go back to the buyer. Pending work
-- keeps its coins in escrow until it is decided. The refund's reference is the change, because a task that is reopened
-- can close again. Returns the coins refunded. The caller holds the task's row lock.
create or replace function close_task(p_task uuid, p_reason closing_reason)
returns bigint language plpgsql as $$
declare
  task tasks;
  account bigint;
  refund bigint;
  change uuid := gen_random_uuid();
begin
  select * into strict task from tasks where id = p_task for no key update;
  if task.closed_at is not null then
    return 0;
  end if;
  refund := task.slots_left * task.reward;
  insert into task_changes (id, task_id, kind, slots, coins) values (change, p_task, 'closed', task.slots_left, refund);
  update tasks set closed_at = clock_time(), close_reason = p_reason, slots_left = 0, held_at = null where id = p_task;
  if refund > 0 then
    select account_id into strict account from users where id = task.buyer_id;
    perform transfer('task_refunded', change, task.escrow_id, account, refund);
  end if;
  return refund;
end $$;

-- Closes a task for its buyer. Returns the coins refunded, or null when it was closed already.
create or replace function close_own_task(p_task uuid, p_buyer uuid) returns bigint language plpgsql as $$
declare
  task tasks;
begin
  task := lock_own_task(p_task, p_buyer);
  if task.closed_at is not null then
    return null;
  end if;
  perform enqueue_change(p_buyer, task.id);
  return close_task(task.id, 'buyer');
end $$;
