-- Closes the open tasks of a buyer who is being deleted and refunds their slots left to the buyer's account, which the
-- caller then sweeps. Returns the number of tasks. The caller holds the row locks of the user and the tasks.
create or replace function close_tasks_of_buyer(p_buyer uuid) returns int language plpgsql as $$
declare
  task uuid;
  closed int := 0;
begin
  for task in select id from tasks where buyer_id = p_buyer and closed_at is null order by id loop
    perform close_task(task, 'buyer_left');
    closed := closed + 1;
  end loop;
  return closed;
end $$;
