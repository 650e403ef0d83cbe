-- Blocks (docs/specification/audience.md#blocks). A block keeps a worker from taking slots and items; what they have reserved
-- or submitted stays as it is.

-- Blocks a worker of a buyer. Repeating it replaces the reason. The lock of the buyer's row keeps concurrent requests from
-- exceeding `p_max`.
create or replace function block_worker(p_id uuid, p_buyer uuid, p_pseudonym text, p_reason text, p_max int) returns void language plpgsql as $$
declare
  worker uuid;
begin
  perform lock_user_in_role(p_buyer, 'Buyer');
  worker := worker_of_buyer(p_buyer, p_pseudonym);
  update worker_blocks set reason = p_reason where buyer_id = p_buyer and worker_id = worker and ended_at is null;
  if found then
    return;
  elsif (select count(*) from worker_blocks where buyer_id = p_buyer and ended_at is null) >= p_max then
    perform refuse('state_conflict.blocks', jsonb_build_object('max', p_max));
  end if;
  insert into worker_blocks (id, buyer_id, worker_id, reason) values (p_id, p_buyer, worker, p_reason);
  perform enqueue_change(worker);
end $$;

-- Ends a buyer's own block. Repeating it changes nothing.
create or replace function unblock_worker(p_buyer uuid, p_pseudonym text) returns void language plpgsql as $$
declare
  worker uuid := worker_of_buyer(p_buyer, p_pseudonym);
begin
  update worker_blocks set ended_at = clock_time(), ended_by = p_buyer
   where buyer_id = p_buyer and worker_id = worker and ended_at is null;
  if found then
    perform enqueue_change(worker);
  end if;
end $$;

-- Ends a block between other users on behalf of an Admin, with a reason. Repeating it changes nothing.
create or replace function lift_block(p_block uuid, p_admin uuid, p_reason text) returns void language plpgsql as $$
declare
  block worker_blocks;
begin
  select * into block from worker_blocks where id = p_block for no key update;
  if not found then
    perform refuse('not_found.block');
  elsif p_admin in (block.buyer_id, block.worker_id) then
    perform refuse('yourself');
  elsif block.ended_at is not null then
    return;
  end if;
  update worker_blocks set ended_at = clock_time(), ended_by = p_admin where id = p_block;
  perform enqueue_change(block.worker_id);
  perform enqueue_change(block.buyer_id);
  perform log_admin_action(p_admin, 'block_lifted', block.worker_id,
    jsonb_build_object('block', p_block, 'buyer', block.buyer_id, 'reason', p_reason));
end $$;
