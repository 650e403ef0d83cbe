-- Holds open tasks of a buyer, newest first, until the coins of their free slots cover `p_coins`, or all of them. No slot
-- of a held task can be taken; work and reservations on it continue. Tasks that are not needed for it are released. With 0
-- all are released. Returns the held tasks that have free slots, and the coins of these. Locks the open tasks.
create or replace function hold_tasks(p_buyer uuid, p_coins bigint)
returns table (held bigint, coins bigint) language plpgsql as $$
declare
  changed record;
begin
  perform lock_open_tasks(p_buyer);
  for changed in
    with running as (
      select id, sum(slots_left * reward) over (order by id desc) - slots_left * reward < p_coins as needed
        from tasks where buyer_id = p_buyer and closed_at is null
    )
    update tasks set held_at = case when needed then clock_time() end
      from running where tasks.id = running.id and needed <> (held_at is not null)
    returning tasks.id
  loop
    perform enqueue_change(p_buyer, changed.id);
  end loop;
  return query select count(*), coalesce(sum(slots_left * reward), 0)::bigint
    from tasks where buyer_id = p_buyer and held_at is not null and slots_left > 0;
end $$;

-- Locks the open tasks of a buyer, in the order in which a deletion of the buyer locks them.
create or replace function lock_open_tasks(p_buyer uuid) returns void language plpgsql as $$
begin
  perform from tasks where buyer_id = p_buyer and closed_at is null order by id for no key update;
end $$;

-- Closes held tasks of a buyer, newest first, until their debt is repaid: the coins of free slots go back to the buyer,
-- whose debt takes them first. The other held tasks are released. Returns the tasks closed and the coins refunded.
create or replace function close_held_tasks(p_buyer uuid)
returns table (closed bigint, coins bigint) language plpgsql as $$
declare
  task uuid;
begin
  perform lock_open_tasks(p_buyer);
  closed := 0;
  coins := 0;
  for task in select id from tasks where buyer_id = p_buyer and held_at is not null order by id desc loop
    exit when (select debt from ledger_accounts where id = (select account_id from users where id = p_buyer)) = 0;
    coins := coins + close_task(task, 'dispute');
    closed := closed + 1;
    perform enqueue_change(p_buyer, task);
  end loop;
  perform hold_tasks(p_buyer, 0);
  return next;
end $$;

-- Returns the refusal of a held task's slots and items as jsonb with `key` and `params`, null for other tasks.
create or replace function hold_refusal(p_task tasks) returns jsonb language sql immutable as $$
  select case when p_task.held_at is not null then '{"key": "task_closed.held", "params": {}}'::jsonb end
$$;
