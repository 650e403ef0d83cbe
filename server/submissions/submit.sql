-- Submits work on a task (docs/specification/submissions.md). Takes a slot atomically, so that two workers never get the
-- last one, and checks what the client claims about the reward and the buyer. Moves no coins. `p_review` is the review
-- period of tasks without one of their own.
create or replace function submit_work(
  p_id uuid, p_task uuid, p_worker uuid, p_text text, p_reward bigint, p_buyer_email_key text, p_review interval)
returns void language plpgsql as $$
declare
  task tasks;
  worker_name text;
begin
  select name into worker_name from users
   where id = p_worker and role = 'Worker' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Worker"]}');
  end if;

  loop
    select * into task from take_slot(p_task, p_worker, p_reward, p_buyer_email_key);
    exit when found;
    perform refuse_submission(p_task, p_worker, p_reward, p_buyer_email_key);
  end loop;

  insert into submissions (id, task_id, task_version, worker_id, buyer_id, reward, text, review_by)
  values (p_id, p_task, task.version, p_worker, task.buyer_id, task.reward, p_text,
          clock_time() + coalesce(make_interval(hours => task.review_hours), p_review))
  on conflict (task_id, worker_id) where status <> 'rejected' do nothing;
  if not found then
    perform refuse('already_submitted');
  end if;
  perform notify_user(task.buyer_id, 'work_received',
    jsonb_build_object('worker', worker_name, 'title', task.title), p_id);
end $$;

-- Refuses with the rule that kept a worker from taking a slot. Returns if no rule does any more: a rejection freed a slot
-- since, and the worker tries again.
create or replace function refuse_submission(
  p_task uuid, p_worker uuid, p_reward bigint, p_buyer_email_key text)
returns void language plpgsql as $$
declare
  task tasks;
begin
  select * into task from tasks where id = p_task;
  if not found or task.deleted_at is not null then
    perform refuse('task_not_found');
  elsif task.buyer_id = p_worker then
    perform refuse('own_task');
  elsif exists (select from submissions where task_id = p_task and worker_id = p_worker and status <> 'rejected') then
    perform refuse('already_submitted');
  elsif clock_time() >= task.closes_at then
    perform refuse('deadline_passed');
  elsif task.closed_at is not null then
    perform refuse('task_closed');
  elsif task.slots_left = 0 then
    perform refuse('task_filled');
  elsif p_reward <> task.reward then
    perform refuse('task_changed.reward', jsonb_build_object('reward', task.reward));
  elsif not exists (select from users where id = task.buyer_id and email_key = coalesce(p_buyer_email_key, email_key)) then
    perform refuse('task_changed');
  end if;
end $$;
