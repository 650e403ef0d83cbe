-- Links of private tasks (docs/specification/audience.md#private-tasks).

-- Returns the id of the task of a link, which the worker can see and work on from then on.
create or replace function open_task_link(p_token text, p_worker uuid) returns uuid language plpgsql as $$
declare
  task uuid;
begin
  -- Locked, so that a concurrent revocation of the link waits.
  select task_id into task from task_links where token = p_token for key share;
  if not found then
    perform refuse('not_found.task_link');
  end if;
  insert into task_link_uses (task_id, worker_id) values (task, p_worker) on conflict do nothing;
  return task;
end $$;

-- Returns whether a worker finds a private task: they opened its link, or have a reservation or work on it that is not finally rejected.
create or replace function finds_private_task(p_task uuid, p_worker uuid) returns boolean language sql stable as $$
  select exists (select from task_link_uses where task_id = p_task and worker_id = p_worker)
      or exists (select from reservations where task_id = p_task and worker_id = p_worker and ended_at is null and expires_at > clock_time())
      or exists (select from submissions where task_id = p_task and worker_id = p_worker and status <> 'rejected')
$$;

-- Creates the link of a task. The token is a random UUID: 122 bits.
create or replace function create_task_link(p_task uuid) returns void language sql as $$
  insert into task_links (task_id, token) values (p_task, replace(gen_random_uuid()::text, '-', ''))
$$;

-- Revokes the link of a buyer's own private task, with the access of those who opened it. `p_renew`: makes a new one.
create or replace function revoke_task_link(p_task uuid, p_buyer uuid, p_renew boolean) returns void language plpgsql as $$
begin
  perform from tasks where id = p_task and buyer_id = p_buyer and deleted_at is null and listed_from = 'infinity' for no key update;
  if not found then
    perform refuse('task_not_found');
  end if;
  delete from task_links where task_id = p_task;
  if p_renew then
    perform create_task_link(p_task);
  end if;
end $$;
