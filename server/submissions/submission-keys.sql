-- Adds the key of a submission: one per worker and task, besides rejected ones, and one per worker and item. The keys are not
-- partitioned, so they are unique in whichever partitions submissions are stored (docs/decisions/0103-partitions.md).
create or replace function add_submission_key() returns trigger language plpgsql as $$
begin
  if new.rejected_at is null or new.item_number is not null then
    insert into submission_keys (task_id, worker_id, item_number, submission_id) values (new.task_id, new.worker_id, new.item_number, new.id);
  end if;
  return null;
end $$;
create or replace trigger submissions_key after insert on submissions
  for each row execute function add_submission_key();

-- Deletes the key of work on a plain task when it is rejected: its worker may try again.
create or replace function change_submission_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.rejected_at is not null and new.item_number is null) then
    delete from submission_keys where task_id = old.task_id and worker_id = old.worker_id and submission_id = old.id;
  elsif old.rejected_at is not null and new.rejected_at is null and new.item_number is null then
    insert into submission_keys (task_id, worker_id, item_number, submission_id) values (new.task_id, new.worker_id, null, new.id);
  end if;
  return null;
end $$;
create or replace trigger submissions_key_change after delete or update of rejected_at on submissions
  for each row execute function change_submission_key();

create or replace trigger submission_keys_immutable before update on submission_keys
  for each row execute function reject_change();

create or replace function audit_submission_keys()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every submission that was not rejected has its key, and every key its submission', count(*),
         count(*) filter (where (work.task_id, work.worker_id, work.item_number) is distinct from (keys.task_id, keys.worker_id, keys.item_number))
    from (select id, task_id, worker_id, item_number from submissions where rejected_at is null or item_number is not null) as work
    full join submission_keys as keys on keys.submission_id = work.id
$$;
