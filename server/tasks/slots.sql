-- Takes one slot of a task atomically and returns the task, if a slot is left, the task is open and not held, its deadline
-- has not passed, it is not the worker's own, the worker may work on it, and its reward, buyer and version are as claimed (null:
-- not claimed). Returns no row otherwise. Without requirements only `worker_blocks` is queried, without a function call.
create or replace function take_slot(p_task uuid, p_worker uuid, p_reward bigint, p_buyer_email_key text, p_version bigint)
returns setof tasks language sql
-- A plan made for given nulls is cheaper to run, so one would be made at every call: 0.2 ms each.
set plan_cache_mode = 'force_generic_plan' as $$
  update tasks set slots_left = slots_left - 1, version_used = true
   where id = p_task and slots_left > 0 and closed_at is null and held_at is null and batch_id is null and clock_time() < closes_at and buyer_id <> p_worker
     and (p_reward is null or reward = p_reward)
     and (p_version is null or version = p_version)
     and (p_buyer_email_key is null or exists (select from users where id = buyer_id and email_key = p_buyer_email_key))
     and (case when has_requirements or listed_from > '-infinity' then requirement_refusal(tasks, p_worker) is null
          else not exists (select from worker_blocks
                            where worker_blocks.buyer_id = tasks.buyer_id and worker_id = p_worker and ended_at is null) end)
   returning *
$$;

-- Refuses with the rule that kept a worker from taking a slot. Returns if no rule does any more: a slot became free since,
-- and the worker tries again.
create or replace function refuse_slot(p_task uuid, p_worker uuid, p_reward bigint, p_buyer_email_key text, p_version bigint)
returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into task from tasks where id = p_task;
  if not found or task.deleted_at is not null then
    perform refuse('task_not_found');
  elsif task.buyer_id = p_worker then
    perform refuse('own_task');
  elsif task.batch_id is not null then
    perform refuse('state_conflict.batch_task');
  elsif has_live_submission(p_task, p_worker) then
    perform refuse('already_submitted');
  elsif clock_time() >= task.closes_at then
    perform refuse('deadline_passed');
  elsif task.closed_at is not null then
    perform refuse('task_closed');
  elsif task.held_at is not null then
    perform refuse('task_closed.held');
  elsif task.slots_left = 0 then
    perform refuse('task_filled');
  end if;
  perform refuse_not_eligible(task, p_worker);
  perform refuse_wrong_shown_values(task, p_reward, p_buyer_email_key, p_version);
end $$;

-- Refuses a shown reward, buyer or version that contradicts the task (null: not shown).
create or replace function refuse_wrong_shown_values(
  p_task tasks, p_reward bigint, p_buyer_email_key text, p_version bigint)
returns void language plpgsql as $$
begin
  if p_reward <> p_task.reward then
    perform refuse('task_changed.reward', jsonb_build_object('reward', p_task.reward));
  elsif p_buyer_email_key is not null
      and not exists (select from users where id = p_task.buyer_id and email_key = p_buyer_email_key) then
    perform refuse('task_changed');
  elsif p_version <> p_task.version then
    perform refuse('task_changed.text');
  end if;
end $$;

-- Returns whether a worker has work on a plain task that was not rejected.
create or replace function has_live_submission(p_task uuid, p_worker uuid) returns boolean language sql stable as $$
  select exists (select from submissions where task_id = p_task and worker_id = p_worker and item_number is null
                                           and rejected_at is null and status <> 'rejected')
$$;

-- Frees the slot of a submission or a reservation: on an open task another worker can take it, on a closed one its coins
-- go back to the buyer, once per `p_ref`. Locks the task's row.
create or replace function free_slot(p_task uuid, p_ref uuid) returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into strict task from tasks where id = p_task for no key update;
  if task.batch_id is not null then
    perform change_item(task.batch_id, p_ref, 0, -1);
  end if;
  if task.closed_at is null then
    update tasks set slots_left = slots_left + 1 where id = task.id;
  else
    perform transfer('slot_refunded', p_ref, task.escrow_id,
      (select account_id from users where id = task.buyer_id), task.reward);
  end if;
end $$;

-- Adds a slot to a task whose row the caller has locked, and moves its reward from the buyer to the escrow, also to a task that has
-- as many as can be posted. The caller uses the slot or frees it.
create or replace function fund_slot(p_task uuid, p_kind transfer_kind, p_ref uuid) returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into strict task from tasks where id = p_task;
  perform fund_escrow(p_kind, p_ref, (select account_id from users where id = task.buyer_id), task.escrow_id, task.reward);
  update tasks set slots = slots + 1 where id = p_task;
  if task.batch_id is not null then
    perform change_item(task.batch_id, p_ref, 1, 1);
  end if;
end $$;

-- Removes the slot of a submission from a task whose row the caller has locked, and refunds its reward to the buyer.
create or replace function withdraw_slot(p_task uuid, p_ref uuid) returns void language plpgsql as $$
declare
  task tasks;
begin
  update tasks set slots = slots - 1 where id = p_task returning * into strict task;
  if task.batch_id is not null then
    perform change_item(task.batch_id, p_ref, -1, -1);
  end if;
  perform transfer('slot_refunded', p_ref, task.escrow_id,
    (select account_id from users where id = task.buyer_id), task.reward);
end $$;

-- Returns the number of a task's slots that are held, by live reservations and by work that is approved or not final. For
-- a change, the caller holds the task's row lock.
create or replace function held_slots(p_task uuid) returns int language sql stable as $$
  select (select count(*) from reservations where task_id = p_task and ended_at is null)::int
       -- An index each for work that was never rejected and for work that was.
       + (select count(*) from submissions where task_id = p_task and rejected_at is null and status <> 'rejected')::int
       + (select count(*) from submissions where task_id = p_task and rejected_at is not null and status <> 'rejected')::int
$$;
