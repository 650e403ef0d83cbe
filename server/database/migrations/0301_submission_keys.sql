-- The keys of submissions: what keeps a worker from a second submission on a task or an item, also when submissions are stored in
-- partitions (docs/decisions/0103-partitions.md). The next migration adds those of the submissions that are there.
-- Locks: submissions for writes, for the moment in which triggers are created.
create table submission_keys (
  task_id       uuid not null,
  worker_id     uuid not null,
  item_number   int,
  submission_id uuid not null,
  constraint submission_keys_once unique nulls not distinct (task_id, worker_id, item_number)
);

-- server/submissions/submission-keys.sql has these from now on.
create function add_submission_key() returns trigger language plpgsql as $$
begin
  if new.rejected_at is null or new.item_number is not null then
    insert into submission_keys (task_id, worker_id, item_number, submission_id) values (new.task_id, new.worker_id, new.item_number, new.id);
  end if;
  return null;
end $$;
create trigger submissions_key after insert on submissions
  for each row execute function add_submission_key();
create function change_submission_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.rejected_at is not null and new.item_number is null) then
    delete from submission_keys where task_id = old.task_id and worker_id = old.worker_id and submission_id = old.id;
  elsif old.rejected_at is not null and new.rejected_at is null and new.item_number is null then
    insert into submission_keys (task_id, worker_id, item_number, submission_id) values (new.task_id, new.worker_id, null, new.id);
  end if;
  return null;
end $$;
create trigger submissions_key_change after delete or update of rejected_at on submissions
  for each row execute function change_submission_key();

-- Running instances keep the keys as soon as this transaction ends.
do $$
declare
  granted record;
begin
  for granted in
    select grantee, string_agg(privilege_type, ', ') as privileges
      from pg_class, aclexplode(relacl) where oid = 'submissions'::regclass and grantee <> relowner group by grantee
  loop
    execute format('grant %s on submission_keys to %s', granted.privileges,
      case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
  end loop;
end $$;
