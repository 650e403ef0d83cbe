-- Returns whether the viewers of a task that closed at this time are deleted. Its later views do not count: they could not count once
-- per worker.
create or replace function are_viewers_deleted(p_closed_at timestamptz) returns boolean language sql stable as $$
  select coalesce(p_closed_at < clock_time() - interval '30 days', false)
$$;

-- Records that workers opened tasks: a JSON array of {task, worker}. Counts each worker once. Rows are written in the order of
-- their keys, so that instances that write at the same time do not deadlock.
create or replace function record_task_views(p_views jsonb) returns void language plpgsql as $$
begin
  with added as (
    insert into task_viewers (task_id, worker_id)
    select task, worker from jsonb_to_recordset(p_views) as viewed (task uuid, worker uuid)
     where exists (select from tasks where id = task and not are_viewers_deleted(closed_at))
       and exists (select from users where id = worker and role = 'Worker' and deleted_at is null)
     order by task, worker
    on conflict do nothing returning task_id)
  insert into task_view_counts as counts (task_id, workers)
  select task_id, count(*) from added group by task_id order by task_id
  on conflict (task_id) do update set workers = counts.workers + excluded.workers;
end $$;

create or replace function delete_task_views_of(p_user uuid) returns void language sql as $$
  delete from task_viewers where worker_id = p_user
$$;
