-- Enqueues an update of the records of a buyer, a worker and a task after work on an item.
create or replace function enqueue_work_change(p_buyer uuid, p_worker uuid, p_task uuid) returns void language sql as $$
  insert into work_changes (buyer_id, worker_id, task_id) values (p_buyer, p_worker, p_task)
$$;

-- Enqueues updates as `enqueue_work_change` does, one for each position of the arrays.
create or replace function enqueue_work_changes(p_buyers uuid[], p_workers uuid[], p_tasks uuid[]) returns void language sql as $$
  insert into work_changes (buyer_id, worker_id, task_id) select * from unnest(p_buyers, p_workers, p_tasks)
$$;
