-- Sets what tasks pay per hour at their median working time (docs/specification/records.md#of-a-task). Locks the rows in the
-- order of their ids.
create or replace function set_hourly_pay(p_tasks uuid[]) returns void language sql as $$
  with computed as (
    select tasks.id, coalesce(reward * 3600 / median_seconds, 0) as hourly_pay
      from tasks left join task_records on task_records.task_id = tasks.id
     where tasks.id = any (p_tasks) and tasks.hourly_pay <> coalesce(reward * 3600 / median_seconds, 0)
     order by tasks.id for no key update of tasks)
  update tasks set hourly_pay = computed.hourly_pay from computed where tasks.id = computed.id
$$;
