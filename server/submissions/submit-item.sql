-- Submits the answers to an item that the worker has reserved (docs/specification/projects.md#items). `p_text` is their text
-- form. Moves no coins. The work began when the item was reserved, or when the worker submitted their last work, if that was
-- later: the next item is reserved while one is being worked on.
create or replace function submit_item(
  p_id uuid, p_task uuid, p_worker uuid, p_item int, p_text text, p_answers jsonb, p_review interval)
returns void language plpgsql as $$
declare
  task tasks;
  reservation reservations;
begin
  perform from users where id = p_worker and role = 'Worker' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Worker"]}');
  end if;
  select * into reservation from use_item(p_task, p_worker, p_item);
  if reservation.id is null then
    if exists (select from submissions where task_id = p_task and worker_id = p_worker and item_number = p_item) then
      perform refuse('already_submitted.item');
    end if;
    perform refuse('state_conflict.item');
  end if;
  select * into strict task from tasks where id = p_task;

  insert into submissions (id, task_id, task_version, worker_id, buyer_id, reward, text, due_at, reserved_at, item_number, answers)
  values (p_id, p_task, reservation.task_version, p_worker, task.buyer_id, task.reward, p_text,
          clock_time() + coalesce(make_interval(hours => task.review_hours), p_review),
          greatest(reservation.created_at, (
            select max(latest.created_at) from unnest(enum_range(null::submission_status)) as state
             cross join lateral (
               select created_at from submissions where worker_id = p_worker and status = state order by id desc limit 1) as latest)),
          p_item, p_answers);
  perform notify_of_items(task.buyer_id, 'items_received', task.id, task.title, 1, null);
  perform enqueue_work_change(task.buyer_id, p_worker, task.id);
  perform enqueue_topic(p_worker, 'submissions');
end $$;
