-- Adds slots to an open task of this buyer. Their pay moves into the escrow in the same transaction, and the fee is
-- charged on it. Returns the coins that the buyer paid. The slots of a batch's task are added with the answers that the items
-- of `p_batch` want.
create or replace function top_up_task(
  p_task uuid, p_buyer uuid, p_slots int, p_slots_max int, p_fee_percent numeric, p_batch uuid default null)
returns bigint language plpgsql as $$
declare
  task tasks;
  account bigint;
  change uuid := gen_random_uuid();
  pay bigint;
  fee bigint;
begin
  perform refuse_frozen(p_buyer);
  task := lock_own_task(p_task, p_buyer);
  if task.closed_at is not null then
    perform refuse('task_closed.buyer');
  elsif task.held_at is not null then
    perform refuse('task_closed.held');
  elsif task.batch_id is distinct from p_batch then
    perform refuse('state_conflict.batch_fixed');
  elsif clock_time() >= task.closes_at then
    perform refuse('deadline_passed');
  elsif task.slots + p_slots > p_slots_max then
    perform refuse('invalid_fields.slots', jsonb_build_object('maximum', p_slots_max));
  end if;
  pay := p_slots * task.reward;
  fee := ceil(pay * p_fee_percent / 100); -- contract/product.ts#feeOf

  select account_id into strict account from users where id = p_buyer;
  insert into task_changes (id, task_id, kind, slots, coins) values (change, task.id, 'topped_up', p_slots, pay);
  update tasks set slots = slots + p_slots, slots_left = slots_left + p_slots where id = task.id;
  perform fund_escrow('task_topped_up', change, account, task.escrow_id, pay);
  if fee > 0 then
    perform transfer('task_fee', change, account, platform_account(), fee);
  end if;
  perform enqueue_change(p_buyer, task.id);
  return pay + fee;
end $$;
