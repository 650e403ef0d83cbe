-- Stops a buyer while a dispute of theirs is open, and ends that when none is (docs/payments.md#containment). The caller
-- has booked the disputes of the payment in the same transaction and has locked the buyer and their open tasks.
create or replace function contain_disputes(p_payment uuid, p_buyer users) returns void language plpgsql as $$
declare
  state text := 'held';
  held_before bigint;
  owed bigint;
  tasks bigint;
  coins bigint;
begin
  -- The coins of an open dispute stop payouts (has_disputed_coins), also when the buyer is frozen already or deleted.
  perform enqueue_payout_change(null);
  if p_buyer.deleted_at is not null then
    return;
  end if;
  perform freeze_disputing_buyer(p_payment, p_buyer.id);
  select count(*) into held_before from tasks where buyer_id = p_buyer.id and held_at is not null and slots_left > 0;

  if has_open_dispute(p_buyer.id) then
    select debt into strict owed from ledger_accounts where id = p_buyer.account_id;
    select held.held, held.coins into tasks, coins from hold_tasks(p_buyer.id, owed) as held;
  elsif held_before > 0 and has_lost_dispute_while_held(p_buyer.id) then
    state := 'closed';
    select closed.closed, closed.coins into tasks, coins from close_held_tasks(p_buyer.id) as closed;
  else
    select held.held, held.coins into tasks, coins from hold_tasks(p_buyer.id, 0) as held;
  end if;

  if tasks is distinct from held_before or state = 'closed' then
    state := case when tasks = 0 then 'released' else state end;
    perform log_payment_event(p_payment, 'tasks_' || state, jsonb_build_object('tasks', tasks, 'coins', coins));
    perform notify_user(p_buyer.id, 'tasks_held', jsonb_build_object('state', state, 'tasks', tasks, 'coins', coins), p_payment);
  end if;
end $$;

-- Freezes the buyer once for each dispute that opens, so that an Admin can end the freeze while it is open. Ends the freeze
-- when no dispute is open and none of those that it was for is lost. Those of unmatched payments count too; `p_payment` is null then.
create or replace function freeze_disputing_buyer(p_payment uuid, p_buyer uuid) returns void language plpgsql as $$
declare
  frozen record;
  live freezes;
begin
  if exists (select from payment_disputes join payments on payments.id = payment_disputes.payment_id
              where payments.user_id = p_buyer and is_open and contained_at is null)
     or exists (select from unmatched_payments
                 where user_id = p_buyer and state <> 'credited' and is_disputed and contained_at is null) then
    select * into frozen from freeze_user(p_buyer, 'dispute', 'card_disputed');
    if frozen.is_new and p_payment is not null then
      perform log_payment_event(p_payment, 'buyer_frozen', '{}');
    end if;
  end if;
  update payment_disputes
     set contained_at = case when is_open then clock_time() end
    from payments
   where payments.id = payment_id and payments.user_id = p_buyer
     and (is_open and contained_at is null or not is_open and withheld_cents = 0 and contained_at is not null);
  update unmatched_payments set contained_at = case when is_disputed then clock_time() end
   where user_id = p_buyer and state <> 'credited'
     and (is_disputed and contained_at is null or not is_disputed and disputed_cents = 0 and contained_at is not null);

  select * into live from freezes where user_id = p_buyer and cause = 'dispute' and ended_at is null;
  if found and not has_open_dispute(p_buyer)
     and not exists (select from payment_disputes join payments on payments.id = payment_disputes.payment_id
                      where payments.user_id = p_buyer and contained_at >= live.frozen_at)
     and not exists (select from unmatched_payments
                      where user_id = p_buyer and state <> 'credited' and (is_disputed or contained_at >= live.frozen_at)) then
    perform end_freeze(live.id, 'dispute_ended');
    if p_payment is not null then
      perform log_payment_event(p_payment, 'freeze_ended', '{}');
    end if;
  end if;
end $$;

-- Returns whether a bank decided a dispute of a user's card payments against us while tasks of theirs were held. One that was lost
-- before closes no task that another dispute holds.
create or replace function has_lost_dispute_while_held(p_user uuid) returns boolean language sql stable as $$
  select exists (select from payments join payment_disputes as disputes on disputes.payment_id = payments.id
                   join payment_events as events on events.payment_id = payments.id
                  where payments.user_id = p_user and disputes.status = 'lost'
                    and events.kind in ('dispute_opened', 'dispute_changed') and events.data ->> 'dispute' = disputes.id
                    and events.data ->> 'status' = 'lost'
                    and events.created_at >= (select min(held_at) from tasks where buyer_id = p_user and held_at is not null))
$$;

-- Returns whether a dispute of a user's card payments withholds coins and is not decided.
create or replace function has_open_dispute(p_user uuid) returns boolean language sql stable as $$
  select exists (select from payments join payment_disputes as disputes on disputes.payment_id = payments.id
                  where payments.user_id = p_user and disputes.is_open)
$$;

-- Adds an entry to the time line of a payment.
create or replace function log_payment_event(p_payment uuid, p_kind text, p_data jsonb, p_actor uuid default null)
returns void language sql as $$
  insert into payment_events (payment_id, kind, data, actor_id) values (p_payment, p_kind, p_data, p_actor)
$$;

create or replace trigger payment_events_immutable before update or delete on payment_events
  for each row execute function reject_change();
create or replace trigger payment_events_no_truncate before truncate on payment_events
  for each statement execute function reject_change();

create or replace function audit_containment()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'tasks are held only while a dispute of their buyer is open', count(*), count(*) filter (where not has_open_dispute(buyer_id))
    from tasks where held_at is not null
$$;
