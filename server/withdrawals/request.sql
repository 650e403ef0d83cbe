-- Creates a withdrawal request (docs/specification/withdrawals.md). Its coins move from the spendable balance to its own
-- hold at once, so that two requests never spend the same coin. Coins earned within the holding time cannot be withdrawn.
-- `p_destination` is one of the worker's payout destinations, or null; an account that equals one is linked to it.
-- Lock order: the worker, their account; the hold is new.
create or replace function request_withdrawal(
  p_id uuid, p_worker uuid, p_coins bigint, p_cents bigint, p_minimum bigint, p_system payment_system,
  p_account_number text, p_zone text, p_holding interval, p_destination uuid)
returns void language plpgsql as $$
declare
  worker users;
  destination payout_destinations;
  spendable bigint;
  recently_earned bigint := 0;
  hold bigint;
begin
  select * into worker from users where id = p_worker and role = 'Worker' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Worker"]}');
  end if;
  perform refuse_frozen(p_worker);
  select balance into strict spendable from ledger_accounts where id = worker.account_id for no key update;
  if spendable < p_minimum then
    perform refuse('insufficient_coins.below_minimum', jsonb_build_object('minimum', p_minimum, 'balance', spendable));
  elsif p_coins < p_minimum then
    perform refuse('invalid_fields.withdrawal_minimum', jsonb_build_object('minimum', p_minimum));
  elsif p_coins > spendable then
    perform refuse('insufficient_coins.above_balance');
  end if;
  if p_holding > interval '0' then
    select coalesce(sum(amount), 0) into recently_earned from ledger_transfers
     where credit = worker.account_id and kind in ('submission_paid', 'bonus_paid') and created_at > clock_time() - p_holding;
    if p_coins > spendable - recently_earned then
      perform refuse('holding_time', jsonb_build_object('coins', greatest(spendable - recently_earned, 0)));
    end if;
  end if;

  destination := requested_destination(p_worker, p_destination, p_system, p_account_number);
  if p_cents <> p_coins * (operator_setting('withdrawal_rate') ->> 'centsPerCoin')::bigint then
    perform refuse('state_conflict.withdrawal_rate');
  end if;

  hold := open_account('hold');
  insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, destination_id, hold_id,
                           requested_on)
  values (p_id, p_worker, p_coins, p_cents, p_system,
          case when destination.id is null then p_account_number else destination_account(destination) end,
          destination.id, hold,
          (clock_time() at time zone p_zone)::date);
  perform transfer('withdrawal_held', p_id, worker.account_id, hold, p_coins);
  perform notify_user(id, 'withdrawal_requested',
      jsonb_build_object('worker', worker.name, 'coins', p_coins, 'cents', p_cents, 'system', p_system), p_id)
     from users where role = 'Admin' and deleted_at is null;
  perform enqueue_change(p_worker, null);
end $$;
