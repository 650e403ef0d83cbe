-- Returns when a day ends in the marketplace's time zone.
create or replace function end_of_day(p_day date, p_zone text) returns timestamptz language sql immutable as $$
  select (p_day + 1)::timestamp at time zone p_zone
$$;

-- Returns when a task with this completion date closes: at the end of the day. Refuses a day that is over.
create or replace function closing_time(p_completion_date date, p_zone text) returns timestamptz language plpgsql as $$
begin
  if p_completion_date < (clock_time() at time zone p_zone)::date then
    perform refuse('deadline_passed.new_task');
  end if;
  return end_of_day(p_completion_date, p_zone);
end $$;

-- Extends an open task of this buyer, or brings its deadline forward. Returns false when it has this deadline already.
create or replace function move_deadline(p_task uuid, p_buyer uuid, p_completion_date date, p_zone text)
returns boolean language plpgsql as $$
declare
  task tasks;
begin
  task := lock_own_task(p_task, p_buyer);
  if task.closed_at is not null then
    perform refuse('task_closed.buyer');
  elsif task.completion_date = p_completion_date then
    return false;
  end if;
  update tasks set completion_date = p_completion_date, closes_at = closing_time(p_completion_date, p_zone)
   where id = task.id;
  insert into task_changes (id, task_id, kind, completion_date)
  values (gen_random_uuid(), task.id, 'extended', p_completion_date);
  perform enqueue_change(p_buyer, task.id);
  return true;
end $$;
