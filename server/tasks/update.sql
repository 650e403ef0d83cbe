-- Changes the texts of a buyer's own task, and its category unless that is null (docs/specification/tasks.md#updating). New
-- texts become the next version, so that nobody submits work for texts that they have not read. Earlier texts of which a slot
-- was taken are kept. `p_version` is the version that the buyer has seen, null where they do not say: later texts are not
-- overwritten.
create or replace function update_task(
  p_task uuid, p_buyer uuid, p_title text, p_detail text, p_submission_info text, p_category text,
  p_version int)
returns void language plpgsql as $$
declare
  task tasks;
begin
  task := lock_own_task(p_task, p_buyer);
  if task.batch_id is not null then
    perform refuse('state_conflict.batch_fixed');
  end if;
  if task.category <> p_category then
    update tasks set category = p_category where id = task.id;
  end if;
  if (task.title, task.detail, task.submission_info) = (p_title, p_detail, p_submission_info) then
    return;
  end if;
  if task.version <> p_version then
    perform refuse('state_conflict.task_text');
  end if;
  if task.version_used then
    insert into task_versions (task_id, version, title, detail, submission_info)
    values (task.id, task.version, task.title, task.detail, task.submission_info);
  end if;
  update tasks set title = p_title, detail = p_detail, submission_info = p_submission_info, version = version + 1,
         version_used = false
   where id = task.id;
end $$;
