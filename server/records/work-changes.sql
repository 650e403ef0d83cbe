-- Lets the next run compute the records that work on items of a batch concerns.
create or replace function note_work_change(p_buyer uuid, p_worker uuid, p_task uuid) returns void language sql as $$
  insert into work_changes (buyer_id, worker_id, task_id) values (p_buyer, p_worker, p_task)
$$;

-- Lets the next run compute the records that work on items of a batch concerns, for several workers.
create or replace function note_work_changes(p_buyers uuid[], p_workers uuid[], p_tasks uuid[]) returns void language sql as $$
  insert into work_changes (buyer_id, worker_id, task_id) select * from unnest(p_buyers, p_workers, p_tasks)
$$;
