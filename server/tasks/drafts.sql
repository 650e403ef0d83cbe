-- Saves a draft or a template of a buyer who has fewer than `p_max`. Locks the user, so that concurrent ones, a change of
-- the role and a deletion happen before or after this transaction.
create or replace function create_task_draft(
  p_id uuid, p_buyer uuid, p_name text, p_template boolean, p_task jsonb, p_max int)
returns setof task_drafts language plpgsql as $$
begin
  perform lock_user_in_role(p_buyer, 'Buyer');
  if (select count(*) from task_drafts where buyer_id = p_buyer) >= p_max then
    perform refuse('state_conflict.task_drafts', jsonb_build_object('max', p_max));
  end if;
  return query insert into task_drafts (id, buyer_id, name, is_template, task)
  values (p_id, p_buyer, p_name, p_template, p_task) returning *;
end $$;

-- Replaces the fields of a draft, and its name where one is given. A template has no completion date. A scheduled draft whose fields
-- change stays one that can be posted at its time.
-- Refuses other fields when theirs have another version than `p_version`, unless that is null.
create or replace function change_task_draft(
  p_draft uuid, p_buyer uuid, p_name text, p_task jsonb, p_version int, p_zone text)
returns setof task_drafts language plpgsql as $$
declare
  draft task_drafts;
  new_task jsonb;
  is_changed boolean;
begin
  select * into draft from task_drafts where id = p_draft and buyer_id = p_buyer for update;
  if not found then
    return;
  end if;
  new_task := case when draft.is_template then p_task - 'completion_date' else p_task end;
  is_changed := new_task <> draft.task;
  if is_changed and p_version <> draft.version then
    perform refuse('state_conflict.task_draft');
  end if;
  update task_drafts
     set name = coalesce(p_name, name), changed_at = clock_time(), task = new_task,
         version = version + is_changed::int
   where id = p_draft returning * into draft;
  if is_changed and draft.post_at is not null then
    perform refuse_unpostable(draft, p_zone);
  end if;
  return next draft;
end $$;

-- Deletes the draft that a task is posted from, in the transaction of posting, so that it is posted once. A template stays.
create or replace function use_task_draft(p_draft uuid, p_buyer uuid) returns void language plpgsql as $$
begin
  delete from task_drafts where id = p_draft and buyer_id = p_buyer and not is_template;
  if not found then
    perform refuse('not_found.task_draft');
  end if;
end $$;

create or replace function delete_task_drafts_of(p_user uuid) returns void language sql as $$
  delete from task_drafts where buyer_id = p_user
$$;
