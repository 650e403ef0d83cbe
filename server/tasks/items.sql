-- Items of batches (docs/decisions/0085-batches-beside-tasks.md). Each answer that an item wants is a slot of the task of its batch.

-- Makes a new task the task of a batch: its slots are taken item by item, and not as those of a plain task.
create or replace function set_batch_of_task(p_task uuid, p_batch uuid) returns void language sql as $$
  update tasks set batch_id = p_batch where id = p_task
$$;

-- Adds items to a batch, numbered from p_first.
create or replace function add_items(p_batch uuid, p_first int, p_inputs jsonb, p_answers_wanted int) returns void language sql as $$
  insert into batch_items (batch_id, number, input, answers_wanted)
  select p_batch, p_first - 1 + row_number, input, p_answers_wanted
    from jsonb_array_elements(p_inputs) with ordinality as rows(input, row_number)
$$;

create or replace function delete_items(p_batch uuid) returns void language sql as $$
  delete from batch_items where batch_id = p_batch
$$;
