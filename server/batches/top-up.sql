-- Adds workers to every item of a buyer's own paid batch, up to `p_workers` per item (docs/specification/projects.md#top-up). The
-- whole cost moves now; the items want the further answers as the background job raises them. `p_total` is the cost that the buyer
-- has seen. Repeating it changes nothing. Lock order: the buyer, the batch, the task.
create or replace function top_up_batch(
  p_batch uuid, p_buyer uuid, p_workers int, p_total bigint, p_fee_percent numeric, p_slots_max int)
returns void language plpgsql as $$
declare
  batch batches;
  added int;
begin
  perform require_role(p_buyer, 'Buyer');
  batch := lock_own_batch(p_batch, p_buyer, '{open}');
  added := p_workers - workers_per_item(batch);
  if added = 0 then
    return;
  elsif added < 0 then
    perform refuse('invalid_fields.workers', jsonb_build_object('workers', workers_per_item(batch)));
  elsif batch.raising_workers > 0 then
    perform refuse('state_conflict.batch_raising');
  end if;
  if top_up_task(batch.task_id, p_buyer, batch.items * added, p_slots_max, p_fee_percent, batch.id) <> p_total then
    perform refuse('invalid_fields.batch_cost');
  end if;
  update batches
     set added_workers = added_workers + added, raising_workers = added, raised_items = 0, agreed_total = agreed_total + p_total,
         announced_tenths = least(announced_tenths, done_tenths_of(batch.task_id))
   where id = batch.id;
  perform enqueue_topic(p_buyer, 'batches');
end $$;

-- Returns how many workers are paid for each item of a batch.
create or replace function workers_per_item(p_batch batches) returns int language sql stable as $$
  select (content->>'workersPerItem')::int + p_batch.added_workers from project_versions
   where project_id = p_batch.project_id and version = p_batch.project_version
$$;

-- Raises the number of answers that the next `p_items` items of a topped-up batch want. Returns false when all are raised. Lock
-- order: the batch, the task, the items.
create or replace function raise_batch_items(p_batch uuid, p_items int) returns boolean language plpgsql as $$
declare
  batch batches;
  last int;
begin
  select * into batch from batches where id = p_batch and raising_workers > 0 for no key update;
  if not found then
    return false;
  end if;
  last := least(batch.raised_items + p_items, batch.items);
  perform raise_answers(batch.task_id, batch.id, batch.raised_items + 1, last, batch.raising_workers);
  if last = batch.items then
    update batches set raising_workers = 0, raised_items = 0 where id = p_batch;
    perform enqueue_topic(batch.buyer_id, 'batches');
  else
    update batches set raised_items = last where id = p_batch;
  end if;
  return true;
end $$;
