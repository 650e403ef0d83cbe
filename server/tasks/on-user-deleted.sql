-- Deletion of a user (docs/specification/users.md). The caller holds the row locks of the user and of the tasks concerned.

-- Closes the open tasks of a buyer, on open pages too, and refunds their slots left to the buyer's account, which the caller then
-- sweeps. Returns the number of tasks.
create or replace function close_tasks_of_buyer(p_buyer uuid) returns int language plpgsql as $$
declare
  task uuid;
  closed int := 0;
begin
  for task in select id from tasks where buyer_id = p_buyer and closed_at is null order by id loop
    perform close_task(task, 'buyer_left');
    perform enqueue_change(p_buyer, task);
    closed := closed + 1;
  end loop;
  return closed;
end $$;

-- Cancels the reservations of the closed tasks of a buyer, refunds their slots and notifies the workers.
create or replace function cancel_reservations_of_buyer(p_buyer uuid) returns void language plpgsql as $$
declare
  live record;
begin
  for live in select reservations.id, worker_id, task_id, title
                from reservations join tasks on tasks.id = task_id
               where reservations.buyer_id = p_buyer and ended_at is null order by task_id, reservations.id loop
    perform release_reservation(live.id, 'cancelled');
    perform notify_user(live.worker_id, 'reservation_cancelled', jsonb_build_object('title', live.title), live.task_id);
  end loop;
end $$;

-- Returns the slots that a worker has reserved.
create or replace function return_reservations_of_worker(p_worker uuid) returns void language plpgsql as $$
begin
  perform release_reservation(id, 'returned')
     from (select id from reservations where worker_id = p_worker and ended_at is null order by task_id) as live;
end $$;

create or replace function delete_task_filters_of(p_user uuid) returns void language sql as $$
  delete from task_filters where user_id = p_user;
$$;
