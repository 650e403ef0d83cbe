-- The two ends of a withdrawal. Only payouts call them (server/payouts/), and hold the request's row lock.

-- Pays the coins of a pending request out of its hold, because its payout was confirmed. `p_admin`: null when no Admin did.
create or replace function pay_out_withdrawal(p_withdrawal uuid, p_admin uuid) returns void language plpgsql as $$
declare
  request withdrawals;
begin
  update withdrawals set status = 'approved', decided_at = clock_time(), decided_by = p_admin
   where id = p_withdrawal returning * into strict request;
  perform transfer('withdrawal_paid', p_withdrawal, request.hold_id, paid_out_account(), request.coins);
  perform mark_destination_verified(request.destination_id);
  perform end_freezes_of_withdrawal(p_withdrawal, p_admin);
  perform notify_user(request.worker_id, 'withdrawal_paid', jsonb_build_object('coins', request.coins,
    'cents', request.amount_cents, 'system', request.payment_system, 'account', request.account_number), p_withdrawal);
end $$;

-- Returns the coins of a pending request to the worker: `declined` with a reason, or `cancelled`. The coins of a deleted
-- worker continue to the platform account.
create or replace function return_withdrawal(p_withdrawal uuid, p_status withdrawal_status, p_reason text, p_admin uuid)
returns void language plpgsql as $$
declare
  request withdrawals;
  worker users;
  coins bigint;
begin
  -- Before the coins move: the score is that of the request.
  perform ensure_assessment(p_withdrawal);
  update withdrawals set status = p_status, reason = p_reason, decided_at = clock_time(), decided_by = p_admin
   where id = p_withdrawal returning * into strict request;
  perform end_freezes_of_withdrawal(p_withdrawal, p_admin);
  select * into strict worker from users where id = request.worker_id;
  perform transfer('withdrawal_released', p_withdrawal, request.hold_id, worker.account_id, request.coins);
  if worker.deleted_at is not null then
    select balance into strict coins from ledger_accounts where id = worker.account_id for no key update;
    if coins > 0 then
      perform transfer('swept_to_platform', p_withdrawal, worker.account_id, platform_account(), coins);
    end if;
  elsif p_status = 'declined' then
    perform notify_user(request.worker_id, 'withdrawal_declined',
      jsonb_build_object('coins', request.coins, 'reason', p_reason), p_withdrawal);
  end if;
end $$;

-- Corrects the account number of a pending request and notifies the worker. The number is that of one of the worker's
-- destinations, or else belongs to `p_account`, as requests store it. The new account is held to the limit of a first
-- payout and to the waiting time as if the worker asked for it (server/destinations/requested.sql). The caller locks the worker.
create or replace function correct_account_number(p_withdrawal uuid, p_account_number text, p_account text) returns void language plpgsql as $$
declare
  request withdrawals;
  destination payout_destinations;
  account text := p_account;
  wait interval := make_interval(hours => (operator_setting('payout_limits') ->> 'destinationWaitHours')::int);
begin
  select * into strict request from withdrawals where id = p_withdrawal and status = 'pending';
  select * into destination from payout_destinations as candidates
   where user_id = request.worker_id and state <> 'removed' and payment_system = request.payment_system
     and p_account_number in (account_number, destination_account(candidates))
   order by destination_account(candidates) = p_account desc, id limit 1;
  if found then
    account := destination_account(destination);
    wait := destination.usable_at - clock_time();
  elsif was_paid_to(request.worker_id, request.payment_system, account)
        or not (exists (select from payout_destinations where user_id = request.worker_id)
                or exists (select from withdrawals where worker_id = request.worker_id and status = 'approved')) then
    wait := interval '0';
  end if;
  update withdrawals
     set account_number = account, destination_id = destination.id,
         payable_at = case when wait > interval '0' then clock_time() + wait end
   where id = p_withdrawal;
  if first_payout_balance(request.worker_id) < 0 and destination.state is distinct from 'verified'
     and not was_paid_to(request.worker_id, request.payment_system, account) then
    perform refuse('payout_limit.corrected_account', jsonb_build_object(
      'limit', (operator_setting('payout_limits') ->> 'firstPayoutCents')::bigint));
  end if;
  perform notify_user(request.worker_id, 'account_number_corrected', jsonb_build_object('coins', request.coins,
    'system', request.payment_system, 'account', account), p_withdrawal);
end $$;
