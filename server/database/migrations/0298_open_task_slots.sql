-- The free slots of open tasks, in a narrow table beside the tasks: taking a slot then changes no column of any index of tasks
-- (docs/decisions/0104-heap-only-updates.md). The next migration adds the tasks that are there.
-- Locks: tasks for writes, for the moment in which a trigger is created.
create table open_task_slots (
  task_id    uuid constraint open_task_slots_pkey primary key,
  slots_left int not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
create index open_task_slots_listed on open_task_slots (slots_left desc, task_id desc);

-- server/tasks/open-slots.sql has it from now on.
create function keep_open_task_slots() returns trigger language plpgsql as $$
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
create trigger tasks_open_slots after insert or update of slots_left, closed_at on tasks
  for each row execute function keep_open_task_slots();

-- Running instances write the table as soon as this transaction ends.
do $$
declare
  granted record;
begin
  for granted in
    select grantee, string_agg(privilege_type, ', ') as privileges
      from pg_class, aclexplode(relacl) where oid = 'tasks'::regclass and grantee <> relowner group by grantee
  loop
    execute format('grant %s on open_task_slots to %s', granted.privileges,
      case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
  end loop;
end $$;
