-- Creates a withdrawal request (docs/specification/withdrawals.md). Its coins move from the spendable balance to its own
-- hold at once, so that two requests never spend the same coin. The limits of payouts hold
-- (limits.sql). `p_destination` is one of the worker's payout destinations, or null; an account that equals one is linked to it.
-- Lock order: the worker, their account; the hold is new.
create or replace function request_withdrawal(
  p_id uuid, p_worker uuid, p_coins bigint, p_cents bigint, p_minimum bigint, p_system payment_system,
  p_account_number text, p_zone text, p_holding interval, p_destination uuid)
returns void language plpgsql as $$
declare
  worker users;
  destination payout_destinations;
  spendable bigint;
  account_text text;
  hold bigint;
begin
  worker := require_role(p_worker, 'Worker');
  perform refuse_frozen(p_worker);
  select balance into strict spendable from ledger_accounts where id = worker.account_id for no key update;
  if spendable < p_minimum then
    perform refuse('insufficient_coins.below_minimum', jsonb_build_object('minimum', p_minimum, 'balance', spendable));
  elsif p_coins < p_minimum then
    perform refuse('invalid_fields.withdrawal_minimum', jsonb_build_object('minimum', p_minimum));
  elsif p_coins > spendable then
    perform refuse('insufficient_coins.above_balance');
  end if;
  destination := requested_destination(p_worker, p_destination, p_system, p_account_number);
  if p_cents <> p_coins * (operator_setting('withdrawal_rate') ->> 'centsPerCoin')::bigint then
    perform refuse('state_conflict.withdrawal_rate');
  end if;
  account_text := case when destination.id is null then p_account_number else destination_account(destination) end;
  perform check_payout_limits(p_worker, spendable, p_coins, p_cents, p_holding,
    destination.state = 'verified' or was_paid_to(p_worker, p_system, account_text));

  hold := open_account('hold', p_worker);
  insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, destination_id, hold_id,
                           requested_on)
  values (p_id, p_worker, p_coins, p_cents, p_system, account_text, destination.id, hold,
          (clock_time() at time zone p_zone)::date);
  perform transfer('withdrawal_held', p_id, worker.account_id, hold, p_coins);
  perform notify_user(id, 'withdrawal_requested',
      jsonb_build_object('worker', worker.name, 'coins', p_coins, 'cents', p_cents, 'system', p_system), p_id)
     from users where role = 'Admin' and deleted_at is null;
  perform enqueue_assessment(p_id);
  perform enqueue_change(p_worker, null);
end $$;
