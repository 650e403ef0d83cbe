-- Reserves a slot of a task for a worker (docs/specification/tasks.md#reservations). Returns the live reservation that the
-- worker has already, or a new one. Lock order: the worker, the task, reservations. The lock of the worker's row keeps
-- concurrent requests from exceeding `p_max`.
create or replace function reserve_slot(p_id uuid, p_task uuid, p_worker uuid, p_max int)
returns setof reservations language plpgsql as $$
declare
  task tasks;
  earlier reservations;
begin
  perform from users where id = p_worker and role = 'Worker' and deleted_at is null for no key update;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Worker"]}');
  end if;
  select * into earlier from reservations where task_id = p_task and worker_id = p_worker and item_number is null and ended_at is null;
  if found and earlier.expires_at > clock_time() then
    return next earlier;
    return;
  elsif found then
    perform lapse_reservation(earlier.id);
  end if;

  loop
    select * into task from take_slot(p_task, p_worker, null, null, null);
    exit when found;
    continue when lapse_due_reservation(p_task);
    perform refuse_slot(p_task, p_worker, null, null, null);
  end loop;
  if has_live_submission(p_task, p_worker) then
    perform refuse('already_submitted');
  elsif (select count(*) from reservations
          where task_id = p_task and worker_id = p_worker and outcome = 'lapsed') >= 2 then
    perform refuse('reservation_lapsed');
  elsif (select count(*) from reservations
          where worker_id = p_worker and ended_at is null and expires_at > clock_time()) >= p_max then
    perform refuse('reservation_limit', jsonb_build_object('limit', p_max));
  end if;

  return query insert into reservations (id, task_id, task_version, worker_id, buyer_id, expires_at)
    values (p_id, p_task, task.version, p_worker, task.buyer_id,
            least(clock_time() + make_interval(mins => task.reservation_minutes), task.closes_at))
    returning *;
  perform enqueue_change(p_worker, p_task);
end $$;

-- Ends the worker's reservation of a task because they submit, and returns it. Returns no row without one, or when it has
-- expired. Its slot becomes the submission's, also on a closed or deleted task.
create or replace function use_reservation(p_task uuid, p_worker uuid) returns setof reservations language plpgsql as $$
begin
  perform from tasks where id = p_task for no key update;
  return query update reservations set ended_at = clock_time(), outcome = 'submitted'
    where task_id = p_task and worker_id = p_worker and item_number is null and ended_at is null and expires_at > clock_time()
    returning *;
end $$;
