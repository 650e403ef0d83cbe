-- Decides a withdrawal request, once (docs/specification/withdrawals.md): an approval is a payout in a payout batch of one that is
-- confirmed at once, a decline returns the coins to the worker with a reason. Returns 1, or 0 for a repetition by the same
-- Admin, which adds a missing transaction id; another transaction id, a payment by another Admin, the opposite decision afterwards
-- and an Admin's own request are refused. What the client shows of the request (null: nothing; p_poisha 0: an amount in dollars
-- only) is checked.
-- Lock order: the amounts in parts (of an approval), the Admin, the worker, the request, its batch, its payout, its hold, the
-- worker's account.
create or replace function decide_withdrawal(
  p_withdrawal uuid, p_admin uuid, p_decision withdrawal_status, p_reason text,
  p_email_key text, p_coins numeric, p_dollars numeric, p_transaction_id text default '',
  p_poisha bigint default null)
returns int language plpgsql as $$
declare
  request withdrawals;
  worker users;
  live payouts;
begin
  if p_decision = 'approved' then
    perform lock_amounts_in_parts();
  end if;
  perform require_admin(p_admin);
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
  elsif request.status = 'approved' and p_decision = 'approved' and request.decided_by is distinct from p_admin then
    perform refuse('already_decided.paid', jsonb_build_object('admin', (select name from users where id = request.decided_by)));
  elsif request.status = 'approved' and p_decision = 'approved' then
    return confirm_payout((live_payout(p_withdrawal)).id, 'admin', p_admin, p_transaction_id);
  elsif request.status = p_decision then
    return 0;
  elsif request.status <> 'pending' then
    perform refuse('already_decided.withdrawal', jsonb_build_object('status', request.status));
  end if;

  live := live_payout(p_withdrawal);
  if p_decision = 'approved' then
    perform pay_single(request, live, p_admin, p_transaction_id, p_poisha);
    return 1;
  end if;
  if live.id is not null then
    if live.state <> 'queued' or live.claimed_by is distinct from p_admin then
      perform refuse_claimed(live);
    end if;
    perform dequeue_payout(live);
  end if;
  perform return_withdrawal(p_withdrawal, 'declined', p_reason, p_admin);
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'withdrawal_declined', p_withdrawal,
    jsonb_build_object('coins', request.coins, 'amount_cents', request.amount_cents, 'worker', request.worker_id, 'reason', p_reason));
  return 1;
end $$;

-- Releases and confirms the payout of one request. The amount in taka must be the one that the Admin paid (p_poisha as in
-- decide_withdrawal): the rate may have changed since it was shown. The caller holds the request's row lock.
create or replace function pay_single(
  p_request withdrawals, p_live payouts, p_admin uuid, p_transaction_id text, p_poisha bigint)
returns void language plpgsql as $$
declare
  live payouts := p_live;
begin
  if live.id is null then
    live := queue_single_payout(p_request, p_admin);
  elsif live.claimed_by is distinct from p_admin and live.state = 'queued' then
    -- Refused, unless this is the second of two Admins.
    perform make_claim(p_request, live, p_admin, '');
  elsif live.state <> 'queued' or not (select single from payout_batches where id = live.batch_id) then
    perform refuse_claimed(live);
  end if;
  perform refresh_risk(array[p_request.id], interval '0');
  perform refuse_stopped_withdrawal(p_request.id, p_admin);
  update payout_batches set state = 'released', released_by = p_admin, released_at = clock_time(), row_count = 1,
                            coins = live.coins, cents = live.cents
   where id = live.batch_id;
  perform lock_exchange_rate(live.batch_id);
  update payouts set state = 'sent', sent_at = clock_time() where id = live.id returning * into strict live;
  if p_poisha <> coalesce(live.poisha, 0) then
    perform refuse('state_conflict.payout_amount', jsonb_build_object('poisha', live.poisha));
  end if;
  perform confirm_payout(live.id, 'admin', p_admin, p_transaction_id);
end $$;

-- Cancels the pending requests of a worker who is being deleted and returns their coins. A request whose payout is in
-- flight stays until its outcome is known. Returns the number of cancelled requests. The caller holds the worker's row lock.
create or replace function cancel_withdrawals(p_worker uuid) returns int language plpgsql as $$
declare
  request withdrawals;
  live payouts;
  cancelled int := 0;
begin
  for request in select * from withdrawals where worker_id = p_worker and status = 'pending' order by id for no key update loop
    live := live_payout(request.id);
    continue when live.state in ('sent', 'unknown');
    if live.id is not null then
      perform dequeue_payout(live);
    end if;
    perform return_withdrawal(request.id, 'cancelled', '', null);
    cancelled := cancelled + 1;
  end loop;
  return cancelled;
end $$;
