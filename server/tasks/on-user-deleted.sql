-- A buyer leaves: their open tasks close, and the coins of slots that nobody holds come back to their account, from
-- where the house takes them. The caller holds the person's record and the tasks' row locks. Answers how many closed.
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
