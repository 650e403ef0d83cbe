-- Decides a withdrawal request, once (docs/specification/withdrawals.md): an approval pays its coins out of the hold, a
-- decline returns them to the worker with a reason. Returns 1, or 0 for a repetition; the opposite decision afterwards
-- and an Admin's own request are refused. What the client claims about the request (null: nothing) is checked.
-- Lock order: the Admin, the worker, the request, its hold, the worker's account.
create or replace function decide_withdrawal(
  p_withdrawal uuid, p_admin uuid, p_decision withdrawal_status, p_reason text,
  p_email_key text, p_coins numeric, p_dollars numeric)
returns int language plpgsql as $$
declare
  request withdrawals;
  worker users;
begin
  perform from users where id = p_admin and role = 'Admin' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Admin"]}');
  end if;
  if p_decision = 'approved' then
    perform refuse_frozen_withdrawal(p_withdrawal);
  end if;
  select * into request from withdrawals where id = p_withdrawal for no key update;
  if not found then
    perform refuse('withdrawal_not_found');
  end if;
  select * into strict worker from users where id = request.worker_id;
  if request.worker_id = p_admin then
    perform refuse('yourself.withdrawal');
  elsif p_email_key <> worker.email_key or p_coins <> request.coins or p_dollars * 100 <> request.amount_cents then
    perform refuse('state_conflict.withdrawal',
      jsonb_build_object('email', worker.email, 'coins', request.coins, 'cents', request.amount_cents));
  elsif request.status = p_decision then
    return 0;
  elsif request.status <> 'pending' then
    perform refuse('already_decided.withdrawal', jsonb_build_object('status', request.status));
  elsif p_decision = 'approved' and has_disputed_coins(p_withdrawal) then
    perform refuse('state_conflict.disputed_withdrawal');
  end if;

  update withdrawals set status = p_decision, reason = p_reason, decided_at = clock_time(), decided_by = p_admin
   where id = p_withdrawal;
  if p_decision = 'approved' then
    perform transfer('withdrawal_paid', p_withdrawal, request.hold_id, paid_out_account(), request.coins);
    perform destination_verified(request.destination_id);
    perform notify_user(request.worker_id, 'withdrawal_paid', jsonb_build_object('coins', request.coins,
      'cents', request.amount_cents, 'system', request.payment_system, 'account', request.account_number), p_withdrawal);
  else
    perform transfer('withdrawal_released', p_withdrawal, request.hold_id, worker.account_id, request.coins);
    perform notify_user(request.worker_id, 'withdrawal_declined',
      jsonb_build_object('coins', request.coins, 'reason', p_reason), p_withdrawal);
  end if;
  perform log_admin_action(p_admin, 'withdrawal_' || p_decision, p_withdrawal,
    jsonb_build_object('coins', request.coins, 'amount_cents', request.amount_cents, 'worker', request.worker_id, 'reason', p_reason));
  return 1;
end $$;

-- Cancels the pending requests of a worker who is being deleted and returns their coins. Returns the number of requests.
-- The caller holds the worker's row lock.
create or replace function cancel_withdrawals(p_worker uuid) returns int language plpgsql as $$
declare
  request withdrawals;
  cancelled int := 0;
begin
  for request in select * from withdrawals where worker_id = p_worker and status = 'pending' order by id for no key update loop
    update withdrawals set status = 'cancelled', decided_at = clock_time() where id = request.id;
    perform transfer('withdrawal_released', request.id, request.hold_id,
      (select account_id from users where id = p_worker), request.coins);
    cancelled := cancelled + 1;
  end loop;
  return cancelled;
end $$;
