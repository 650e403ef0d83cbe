-- Reopens a closed task of this buyer, with a new deadline or the one it has. Every slot that nobody holds is free again,
-- and its pay moves into the escrow in the same transaction. The fee was charged when the slots were posted. Returns the
-- coins that the buyer paid, or null when the task is open. Refuses when a qualification that it requires was deleted.
create or replace function reopen_task(p_task uuid, p_buyer uuid, p_completion_date date, p_zone text)
returns bigint language plpgsql as $$
declare
  task tasks;
  change uuid := gen_random_uuid();
  required uuid[];
  existing int;
  free int;
begin
  perform refuse_frozen(p_buyer);
  task := lock_own_task(p_task, p_buyer);
  if task.closed_at is null then
    return null;
  end if;
  select qualifications into required from task_requirements where task_id = task.id;
  -- Locked, so that a concurrent deletion waits.
  perform from qualifications where id = any (required) for key share;
  get diagnostics existing = row_count;
  if existing < cardinality(required) then
    perform refuse('state_conflict.qualification_deleted');
  end if;
  free := task.slots - held_slots(task.id);
  update tasks
     set closed_at = null, close_reason = null, slots_left = free,
         completion_date = coalesce(p_completion_date, completion_date),
         closes_at = closing_time(coalesce(p_completion_date, completion_date), p_zone)
   where id = task.id;
  insert into task_changes (id, task_id, kind, slots, coins, completion_date)
  values (change, task.id, 'reopened', free, free * task.reward, p_completion_date);
  if free > 0 then
    perform fund_escrow('task_reopened', change, (select account_id from users where id = p_buyer), task.escrow_id,
      free * task.reward);
  end if;
  perform enqueue_change(p_buyer, task.id);
  return free * task.reward;
end $$;
