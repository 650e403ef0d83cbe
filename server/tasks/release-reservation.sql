-- Ends a live reservation without a submission and frees its slot. Returns false when it has ended before. The caller
-- holds the task's row lock.
create or replace function release_reservation(p_reservation uuid, p_outcome reservation_outcome)
returns boolean language plpgsql as $$
declare
  released reservations;
begin
  update reservations set ended_at = clock_time(), outcome = p_outcome
   where id = p_reservation and ended_at is null returning * into released;
  if not found then
    return false;
  end if;
  perform free_slot(released.task_id, released.id);
  perform enqueue_change(buyer_id, id) from tasks where id = released.task_id;
  return true;
end $$;

-- Returns the slot that a worker has reserved, or all the items of a batch. Returns the number of reservations that ended.
create or replace function return_reservation(p_task uuid, p_worker uuid) returns int language plpgsql as $$
declare
  live uuid;
  returned int := 0;
begin
  perform from tasks where id = p_task for no key update;
  for live in select id from reservations
               where task_id = p_task and worker_id = p_worker and ended_at is null and expires_at > clock_time() order by id loop
    if release_reservation(live, 'returned') then
      returned := returned + 1;
    end if;
  end loop;
  if returned > 0 then
    perform enqueue_change(p_worker);
  end if;
  return returned;
end $$;

-- Lapses an expired reservation: frees its slot and notifies the worker. Returns false when it has ended already, by a
-- submission, by its return or by another instance.
create or replace function lapse_reservation(p_reservation uuid) returns boolean language plpgsql as $$
declare
  due reservations;
  task tasks;
begin
  select * into task from tasks
   where id = (select task_id from reservations where id = p_reservation) for no key update;
  select * into due from reservations where id = p_reservation and ended_at is null and expires_at <= clock_time();
  if not found or not release_reservation(due.id, 'lapsed') then
    return false;
  end if;
  perform notify_user(due.worker_id, 'reservation_lapsed',
                      jsonb_strip_nulls(jsonb_build_object('title', task.title, 'task', task.id, 'item', due.item_number)), task.id);
  return true;
end $$;

-- Lapses one expired reservation of a task whose slots are all taken, for a worker who needs a slot before the background
-- job has run. Returns whether that made a slot free.
create or replace function lapse_due_reservation(p_task uuid) returns boolean language plpgsql as $$
declare
  due uuid;
begin
  if not exists (select from reservations
                  where task_id = p_task and ended_at is null and expires_at <= clock_time()) then
    return false;
  end if;
  perform from tasks where id = p_task and slots_left = 0 and closed_at is null for no key update;
  if not found then
    return false;
  end if;
  select id into due from reservations
   where task_id = p_task and ended_at is null and expires_at <= clock_time() order by expires_at limit 1;
  return found and lapse_reservation(due);
end $$;
