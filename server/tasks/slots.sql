-- Takes one slot of a task atomically and returns the task, if a slot is left, the task is open, its deadline has not
-- passed, it is not the worker's own, and its reward and buyer are as claimed (null: not claimed). Returns no row
-- otherwise.
create or replace function take_slot(p_task uuid, p_worker uuid, p_reward bigint, p_buyer_email_key text)
returns setof tasks language sql as $$
  update tasks set slots_left = slots_left - 1
   where id = p_task and slots_left > 0 and closed_at is null and clock_time() < closes_at and buyer_id <> p_worker
     and (p_reward is null or reward = p_reward)
     and (p_buyer_email_key is null or exists (select from users where id = buyer_id and email_key = p_buyer_email_key))
   returning *
$$;

-- Frees the slot of a submission: on an open task another worker can take it, on a closed one its coins go back to the
-- buyer, once per `p_ref`. Locks the task's row.
create or replace function free_slot(p_task uuid, p_ref uuid) returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into strict task from tasks where id = p_task for no key update;
  if task.closed_at is null then
    update tasks set slots_left = slots_left + 1 where id = task.id;
  else
    perform transfer('slot_refunded', p_ref, task.escrow_id,
      (select account_id from users where id = task.buyer_id), task.reward);
  end if;
end $$;
