-- Returns how many tenths of the slots of a task are done: paid, or refunded when it closed. The escrow holds the pay of the
-- others.
create or replace function done_tenths(p_slots int, p_reward bigint, p_escrow bigint) returns int language sql immutable as $$
  select 10 - ceil(10.0 * p_escrow / (p_slots * p_reward))::int
$$;

-- Returns how many tenths of the slots of a task are done.
create or replace function done_tenths_of(p_task uuid) returns int language sql stable as $$
  select done_tenths(slots, reward, balance) from tasks join ledger_accounts on ledger_accounts.id = escrow_id where tasks.id = p_task
$$;

-- Announces that another tenth of a batch is done, or all of it, as an event and to live pages. Returns false when there is nothing
-- to announce. A batch finishes once, also when its task is reopened later, and again after a top up.
create or replace function announce_batch_progress(p_batch uuid) returns boolean language plpgsql as $$
declare
  batch batches;
  task tasks;
  tenths int;
begin
  select * into batch from batches where id = p_batch and state = 'open' for no key update;
  if not found then
    return false;
  end if;
  select * into strict task from tasks where id = batch.task_id;
  tenths := done_tenths_of(task.id);
  if tenths <= batch.announced_tenths then
    return false;
  end if;
  update batches set announced_tenths = tenths where id = p_batch;
  perform enqueue_api_event(array[batch.buyer_id], case when tenths = 10 then 'batch.finished' else 'batch.progress' end, batch.id,
    jsonb_build_object('batchId', batch.id, 'taskId', task.id, 'taskTitle', task.title, 'slots', task.slots, 'approved',
      (select count(*) from submissions where task_id = task.id and status = 'approved'))
      || case when tenths = 10 then '{}' else jsonb_build_object('percent', tenths * 10) end);
  perform enqueue_topic(batch.buyer_id, 'batches');
  return true;
end $$;
