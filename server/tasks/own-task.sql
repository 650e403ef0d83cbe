-- Locks a buyer's own task and returns it. Refuses for an unknown, deleted or another buyer's private task with 404, and for
-- another buyer's listed one with 403. Lock order: the user, so that a concurrent deletion of the buyer happens before or
-- after this transaction, then the task.
create or replace function lock_own_task(p_task uuid, p_buyer uuid) returns tasks language plpgsql as $$
declare
  task tasks;
begin
  perform require_role(p_buyer, 'Buyer');
  select * into task from tasks where id = p_task and buyer_id = p_buyer and deleted_at is null for no key update;
  if not found then
    perform refuse('not_yours') from tasks where id = p_task and deleted_at is null and listed_from < 'infinity';
    perform refuse('task_not_found');
  end if;
  return task;
end $$;
