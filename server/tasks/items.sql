-- Items of batches (docs/decisions/0086-items-of-a-batch.md). Each answer that an item wants is a slot of the task of its batch.

-- Makes a new task the task of a batch: its slots are taken item by item, and not as those of a plain task.
create or replace function set_batch_of_task(p_task uuid, p_batch uuid) returns void language sql as $$
  update tasks set batch_id = p_batch where id = p_task
$$;

-- Adds items to a batch, numbered from p_first, with the known answers of each or null.
create or replace function add_items(p_batch uuid, p_first int, p_inputs jsonb, p_answers_wanted int, p_golden jsonb)
returns void language sql as $$
  insert into batch_items (batch_id, number, input, answers_wanted, golden)
  select p_batch, p_first - 1 + row_number, input, p_answers_wanted, nullif(golden, 'null')
    from rows from (jsonb_array_elements(p_inputs), jsonb_array_elements(p_golden)) with ordinality as rows(input, golden, row_number)
$$;

create or replace function delete_items(p_batch uuid) returns void language sql as $$
  delete from batch_items where batch_id = p_batch;
  delete from item_pictures where batch_id = p_batch;
$$;

-- Raises the number of answers that the items `p_first` to `p_last` of a batch want. Locks the task's row.
create or replace function raise_answers(p_task uuid, p_batch uuid, p_first int, p_last int, p_answers int) returns void language plpgsql as $$
begin
  perform from tasks where id = p_task for no key update;
  update batch_items set answers_wanted = answers_wanted + p_answers where batch_id = p_batch and number between p_first and p_last;
end $$;

-- Changes how many answers the item of a reservation or a submission wants, and how many are taken. The caller holds the
-- task's row lock.
create or replace function change_item(p_batch uuid, p_ref uuid, p_wanted int, p_taken int) returns void language plpgsql as $$
begin
  update batch_items set answers_wanted = answers_wanted + p_wanted, answers_taken = answers_taken + p_taken
   where batch_id = p_batch
     and number = (select item_number from reservations where id = p_ref
                   union all select item_number from submissions where id = p_ref);
  if not found then
    raise exception 'no item of % belongs to %', p_batch, p_ref;
  end if;
end $$;

-- Returns the next item for a worker: the first that wants an answer after those that they have had, then an earlier one
-- that became free and that they have not had. Null: there is none.
create or replace function next_item(p_task uuid, p_worker uuid) returns int language plpgsql as $$
declare
  batch uuid := (select batch_id from tasks where id = p_task);
  highest int := coalesce((select max(item_number) from reservations
                         where task_id = p_task and worker_id = p_worker and item_number is not null), 0);
  item int;
begin
  select number into item from batch_items
   where batch_id = batch and number > highest and answers_taken < answers_wanted order by number limit 1;
  if item is null and highest > 1 then
    select number into item from batch_items
     where batch_id = batch and number < highest and answers_taken < answers_wanted
       and not exists (select from reservations where task_id = p_task and worker_id = p_worker and item_number = number)
     order by number limit 1;
  end if;
  return item;
end $$;

-- Lapses the first expired reservation of an item that a worker has not had, for one who finds no item before the background job
-- has run. Returns whether there was one. A worker who has had every item keeps nobody waiting.
create or replace function lapse_due_item(p_task uuid, p_worker uuid) returns boolean language plpgsql as $$
declare
  due uuid;
begin
  select expired.id into due from reservations as expired join tasks on tasks.id = task_id
   where task_id = p_task and ended_at is null and expires_at <= clock_time() and closed_at is null
     and not exists (select from reservations
                      where task_id = p_task and worker_id = p_worker and item_number = expired.item_number)
   order by expires_at limit 1;
  if not found then
    return false;
  end if;
  perform lapse_reservation(due);
  return true;
end $$;

-- Reserves the next item of a batch's task for a worker. Lock order: the worker, the task, the item. The item is looked for
-- before the task is locked too, so that a worker who has had every item keeps nobody waiting.
create or replace function take_item(p_id uuid, p_task uuid, p_worker uuid, p_max int, p_lapsed_max int)
returns setof reservations language plpgsql as $$
declare
  task tasks;
  item int;
begin
  perform from users where id = p_worker and role = 'Worker' and deleted_at is null for no key update;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Worker"]}');
  elsif (select count(*) from reservations
          where worker_id = p_worker and ended_at is null and expires_at > clock_time()) >= p_max then
    perform refuse('reservation_limit', jsonb_build_object('limit', p_max));
  elsif (select count(*) from reservations where task_id = p_task and worker_id = p_worker and outcome = 'lapsed'
          and expires_at > clock_time() - interval '1 day') >= p_lapsed_max then
    perform refuse('reservation_lapsed.items');
  end if;
  if has_low_score(p_task, p_worker) then
    perform refuse('score_too_low');
  end if;
  while next_item(p_task, p_worker) is null and lapse_due_item(p_task, p_worker) loop
  end loop;

  select * into task from tasks where id = p_task for no key update;
  perform refuse_items_of(task, p_worker);
  item := next_item(p_task, p_worker);
  if item is null then
    perform refuse('task_filled.items');
  end if;
  update tasks set slots_left = slots_left - 1, version_used = true where id = p_task;
  update batch_items set answers_taken = answers_taken + 1 where batch_id = task.batch_id and number = item;
  return query insert into reservations (id, task_id, task_version, worker_id, buyer_id, expires_at, item_number)
    values (p_id, p_task, task.version, p_worker, task.buyer_id,
            least(clock_time() + make_interval(mins => task.reservation_minutes), task.closes_at), item)
    returning *;
  perform enqueue_change(p_worker, p_task);
end $$;

-- Refuses a worker who cannot take an item of the task.
create or replace function refuse_items_of(p_task tasks, p_worker uuid) returns void language plpgsql as $$
begin
  if p_task.id is null or p_task.deleted_at is not null then
    perform refuse('task_not_found');
  elsif p_task.batch_id is null then
    perform refuse('state_conflict.plain_task');
  elsif p_task.buyer_id = p_worker then
    perform refuse('own_task');
  elsif clock_time() >= p_task.closes_at then
    perform refuse('deadline_passed');
  elsif p_task.closed_at is not null then
    perform refuse('task_closed');
  elsif p_task.held_at is not null then
    perform refuse('task_closed.held');
  end if;
  perform refuse_not_eligible(p_task, p_worker);
end $$;

-- Ends the worker's reservation of an item because they submit, and returns it. Returns no row without a live one. The time
-- of their other items of the task begins now: they are worked on one after another.
create or replace function use_item(p_task uuid, p_worker uuid, p_item int) returns setof reservations language plpgsql as $$
declare
  task tasks;
  used reservations;
begin
  select * into task from tasks where id = p_task for no key update;
  update reservations set ended_at = clock_time(), outcome = 'submitted'
   where task_id = p_task and worker_id = p_worker and item_number = p_item and ended_at is null and expires_at > clock_time()
   returning * into used;
  if not found then
    return;
  end if;
  update reservations
     set expires_at = greatest(expires_at, least(clock_time() + make_interval(mins => task.reservation_minutes), task.closes_at))
   where task_id = p_task and worker_id = p_worker and item_number is not null and ended_at is null and expires_at > clock_time();
  return next used;
end $$;

-- Returns an item that a worker has reserved. Returns 1, or 0 without a live reservation.
create or replace function return_item(p_task uuid, p_worker uuid, p_item int) returns int language plpgsql as $$
declare
  live uuid;
begin
  perform from tasks where id = p_task for no key update;
  select id into live from reservations
   where task_id = p_task and worker_id = p_worker and item_number = p_item and ended_at is null and expires_at > clock_time();
  if not found or not release_reservation(live, 'returned') then
    return 0;
  end if;
  perform enqueue_change(p_worker);
  return 1;
end $$;

create or replace function audit_items()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with taken as (
    select task_id, item_number, sum(answers) as answers
      from (select task_id, item_number, 1 as answers from reservations where item_number is not null and ended_at is null
            union all
            select task_id, item_number, 1 from submissions where item_number is not null and status <> 'rejected') as each
     group by task_id, item_number
  )
  select 'answers taken of every item are its reservations, work that is not final and approved work', count(*),
         count(*) filter (where coalesce(answers_taken, 0) <> coalesce(answers, 0) or (answers is not null and number is null))
    from (select tasks.id, batch_items.number, answers_taken from batch_items join tasks on tasks.batch_id = batch_items.batch_id) as items
    full join taken on taken.task_id = items.id and taken.item_number = items.number
  union all
  select 'work on an item has its answers, and other work has none', count(*), count(*) filter (where (item_number is null) <> (answers is null))
    from submissions
  union all
  select 'an item is reserved exactly for tasks of batches', count(*), count(*) filter (where (item_number is null) <> (batch_id is null))
    from reservations join tasks on tasks.id = task_id where ended_at is null or item_number is not null
$$;
