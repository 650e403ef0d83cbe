-- Changes the texts of a buyer's own task (docs/specification/tasks.md#updating). Texts that somebody works with are kept
-- as an earlier version, and the new ones become the next version.
create or replace function update_task(
  p_task uuid, p_buyer uuid, p_title text, p_detail text, p_submission_info text)
returns void language plpgsql as $$
declare
  task tasks;
begin
  task := lock_own_task(p_task, p_buyer);
  if (task.title, task.detail, task.submission_info) = (p_title, p_detail, p_submission_info) then
    return;
  end if;
  if task_version_in_use(task) then
    insert into task_versions (task_id, version, title, detail, submission_info)
    values (task.id, task.version, task.title, task.detail, task.submission_info);
    task.version := task.version + 1;
  end if;
  update tasks set title = p_title, detail = p_detail, submission_info = p_submission_info, version = task.version
   where id = task.id;
end $$;

-- Returns whether somebody works with the current version of a task. The caller holds the task's row lock.
create or replace function task_version_in_use(p_task tasks) returns boolean language sql stable as $$
  select exists (select from submissions where task_id = p_task.id and task_version = p_task.version)
      or exists (select from reservations
                  where task_id = p_task.id and ended_at is null and task_version = p_task.version)
$$;
