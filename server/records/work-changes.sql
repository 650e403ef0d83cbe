-- Lets the next run compute the records that work on items of a batch concerns.
create or replace function note_work_change(p_buyer uuid, p_worker uuid, p_task uuid) returns void language sql as $$
  insert into work_changes (buyer_id, worker_id, task_id) values (p_buyer, p_worker, p_task)
$$;
