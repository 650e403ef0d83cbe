-- Keeps the free slots of open tasks in a table of their own, by which lists are ordered. An index of tasks with the free slots would
-- make PostgreSQL write every index of a task for each slot that is taken (docs/decisions/0104-heap-only-updates.md).
-- The caller's change holds the task's row lock.
create or replace function keep_open_task_slots() returns trigger language plpgsql as $$
begin
  if new.closed_at is not null then
    delete from open_task_slots where task_id = new.id;
    return null;
  end if;
  update open_task_slots set slots_left = new.slots_left where task_id = new.id;
  if not found then
    insert into open_task_slots (task_id, slots_left) values (new.id, new.slots_left);
  end if;
  return null;
end $$;
create or replace trigger tasks_open_slots after insert or update of slots_left, closed_at on tasks
  for each row execute function keep_open_task_slots();

create or replace function audit_open_task_slots()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every open task is listed with its free slots, and no other task is', count(*),
         count(*) filter (where tasks.id is null or listed.task_id is null or tasks.slots_left <> listed.slots_left)
    from (select id, slots_left from tasks where closed_at is null) as tasks
    full join open_task_slots as listed on listed.task_id = tasks.id
$$;
