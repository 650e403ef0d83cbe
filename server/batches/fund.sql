-- Begins to fund a buyer's own batch (docs/specification/projects.md#payment): its items are written in the background, and its
-- coins move when all are there. `p_total` is the cost that the buyer has seen. A batch that is not paid as `p_scheduled` is not
-- scheduled any more. Repeating it changes nothing. Lock order: the buyer, the batch, the task.
create or replace function begin_batch_funding(
  p_batch uuid, p_buyer uuid, p_completion_date date, p_zone text, p_total bigint, p_fee_percent numeric, p_slots_max int,
  p_scheduled boolean)
returns void language plpgsql as $$
declare
  batch batches;
begin
  perform require_role(p_buyer, 'Buyer');
  perform refuse_frozen(p_buyer);
  batch := lock_own_batch(p_batch, p_buyer, '{checked,funding,open}');
  if batch.state <> 'checked' then
    return;
  end if;
  perform refuse_unpayable(batch, p_total, p_fee_percent, p_slots_max);
  perform closing_time(p_completion_date, p_zone);
  update batches
     set state = 'funding', completion_date = p_completion_date, agreed_total = p_total, funding_refusal = null,
         post_at = case when p_scheduled then post_at end
   where id = p_batch;
end $$;

-- Refuses a batch whose file has errors, or another cost than that of its items.
create or replace function refuse_unpayable(p_batch batches, p_total bigint, p_fee_percent numeric, p_slots_max int)
returns void language plpgsql as $$
declare
  content jsonb;
  slots bigint;
  pay bigint;
begin
  if p_batch.errors > 0 then
    perform refuse('state_conflict.batch_errors', jsonb_build_object('errors', p_batch.errors));
  end if;
  select project_versions.content into strict content from project_versions
   where project_id = p_batch.project_id and version = p_batch.project_version;
  slots := p_batch.items * (content->>'workersPerItem')::int;
  if slots > p_slots_max then
    perform refuse('invalid_fields.slots', jsonb_build_object('maximum', p_slots_max));
  end if;
  pay := slots * (content->>'reward')::bigint;
  if pay + ceil(pay * p_fee_percent / 100) <> p_total then -- contract/product.ts#feeOf
    perform refuse('invalid_fields.batch_cost');
  end if;
end $$;

-- Writes the items after the first `p_written` of a batch that is being funded. Returns false when another instance was
-- first, or the funding has ended.
create or replace function write_batch_items(p_batch uuid, p_written int, p_inputs jsonb, p_answers_wanted int, p_golden jsonb)
returns boolean language plpgsql as $$
begin
  update batches set items_written = items_written + jsonb_array_length(p_inputs)
   where id = p_batch and state = 'funding' and items_written = p_written;
  if not found then
    return false;
  end if;
  perform add_items(p_batch, p_written + 1, p_inputs, p_answers_wanted, p_golden);
  return true;
end $$;

-- Opens a batch whose items are all written: posts its task, moves its whole cost, and deletes its file, in one transaction.
-- Returns false when another instance was first. Lock order: the buyer, the batch, the task.
create or replace function open_batch(p_batch uuid, p_task uuid, p_zone text, p_fee_percent numeric)
returns boolean language plpgsql as $$
declare
  batch batches;
  content jsonb;
  slots int;
  pay bigint;
begin
  perform from users where id = (select buyer_id from batches where id = p_batch) for share;
  select * into batch from batches where id = p_batch and state = 'funding' for no key update;
  if not found or batch.items_written < batch.items then
    return false;
  end if;
  select project_versions.content into strict content from project_versions
   where project_id = batch.project_id and version = batch.project_version;
  slots := batch.items * (content->>'workersPerItem')::int;
  pay := slots * (content->>'reward')::bigint;
  if pay + ceil(pay * p_fee_percent / 100) <> batch.agreed_total then
    perform refuse('invalid_fields.batch_cost');
  end if;
  perform add_task(
    p_id => p_task, p_buyer => batch.buyer_id, p_title => content->>'title', p_detail => content->>'instructions',
    p_submission_info => batch_form_text(content->'form'), p_image_url => '', p_slots => slots,
    p_reward => (content->>'reward')::bigint, p_completion_date => batch.completion_date, p_zone => p_zone,
    p_fee => batch.agreed_total - pay, p_review_hours => (content->>'reviewHours')::int,
    p_reservation_minutes => (content->>'reservationMinutes')::int, p_category => content->>'category',
    p_audience => nullif(content->'audience', 'null'));
  perform set_batch_of_task(p_task, p_batch);
  if batch.post_at is not null then
    perform notify_user(batch.buyer_id, 'scheduled_batch_posted',
      jsonb_build_object('title', content->>'title', 'file', batch.file_name, 'coins', pay), p_batch);
  end if;
  update batches set state = 'open', task_id = p_task, post_at = null where id = p_batch;
  delete from batch_chunks where batch_id = p_batch;
  perform enqueue_topic(batch.buyer_id, 'batches');
  return true;
end $$;

-- Returns the questions of a form, one a line.
create or replace function batch_form_text(p_form jsonb) returns text language sql immutable as $$
  select left(string_agg(field->>'label', E'\n' order by number), 20000)
    from jsonb_array_elements(p_form->'fields') with ordinality as fields(field, number)
$$;

-- Ends the funding of a batch that was refused. Its items stay, so that the next attempt only moves the coins.
create or replace function refuse_batch_funding(p_batch uuid, p_refusal jsonb) returns void language plpgsql as $$
declare
  buyer uuid;
begin
  update batches set state = 'checked' where id = p_batch and state = 'funding' returning buyer_id into buyer;
  if found then
    perform end_batch_payment(p_batch, p_refusal);
    perform enqueue_topic(buyer, 'batches');
  end if;
end $$;

-- Ends the funding of a batch whose file is not read as the `p_items` rows that its check found, because another release checked it: it
-- is checked again, and its buyer sees its new cost before they pay. No coins have moved. Returns false when another instance was first,
-- or the funding has ended.
create or replace function check_batch_again(p_batch uuid, p_items int, p_refusal jsonb) returns boolean language plpgsql as $$
declare
  buyer uuid;
begin
  update batches set state = 'checking', checked_at = null, rows_read = 0, pictures = 0, pictures_checked = 0, pictures_until = null,
         items_written = 0
   where id = p_batch and state = 'funding' and items = p_items returning buyer_id into buyer;
  if not found then
    return false;
  end if;
  perform delete_items(p_batch);
  perform end_batch_payment(p_batch, p_refusal);
  perform enqueue_topic(buyer, 'batches');
  return true;
end $$;
