-- Submits work on a task (docs/specification/submissions.md). Uses the slot that the worker has reserved, or takes one
-- atomically, so that two workers never get the last one, and checks the reward, the buyer and the version of the texts that the
-- client shows; work on a reserved slot has the version of the reservation. Moves no coins. `p_review` is the review period of
-- tasks without one of their own.
create or replace function submit_work(
  p_id uuid, p_task uuid, p_worker uuid, p_text text, p_reward bigint, p_buyer_email_key text, p_version bigint,
  p_review interval)
returns void language plpgsql as $$
declare
  task tasks;
  reservation reservations;
  worker_name text;
begin
  select name into worker_name from users
   where id = p_worker and role = 'Worker' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Worker"]}');
  end if;

  -- Most work is submitted without a reservation, which costs no function call.
  if exists (select from reservations where task_id = p_task and worker_id = p_worker and item_number is null and ended_at is null) then
    select * into reservation from use_reservation(p_task, p_worker);
    if not found then
      -- It has expired, and the job would notify the worker of a lapse after they submitted.
      perform release_reservation(id, 'returned') from reservations
        where task_id = p_task and worker_id = p_worker and item_number is null and ended_at is null;
    end if;
  end if;
  if reservation.id is not null then
    select * into strict task from tasks where id = p_task;
    perform refuse_wrong_shown_values(task, p_reward, p_buyer_email_key, null);
  else
    loop
      select * into task from take_slot(p_task, p_worker, p_reward, p_buyer_email_key, p_version);
      exit when found;
      continue when lapse_due_reservation(p_task);
      perform refuse_slot(p_task, p_worker, p_reward, p_buyer_email_key, p_version);
    end loop;
  end if;

  -- The lock of the task's row keeps concurrent submissions apart; the unique key is behind it.
  if exists (select from submission_keys where task_id = p_task and worker_id = p_worker and item_number is null) then
    perform refuse('already_submitted');
  end if;
  insert into submissions (id, task_id, task_version, worker_id, buyer_id, reward, text, due_at, reserved_at)
  values (p_id, p_task, coalesce(reservation.task_version, task.version), p_worker, task.buyer_id, task.reward, p_text,
          clock_time() + coalesce(make_interval(hours => task.review_hours), p_review), reservation.created_at);
  perform notify_user(task.buyer_id, 'work_received',
    jsonb_build_object('worker', worker_name, 'title', task.title), p_id);
end $$;
