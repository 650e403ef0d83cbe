-- Claims: a pending withdrawal that an Admin is paying has a queued payout in a payout batch of one.
--
--   claim_payout(withdrawal, admin, reason)               modified: 1, or 0 when the Admin has it already; awaits_second
--   release_payout_claim(withdrawal, admin) returns int   1, or 0 when nobody has it

-- Returns the payout of a withdrawal that is queued, sent, unknown or confirmed. The caller holds the withdrawal's row lock.
create or replace function live_payout(p_withdrawal uuid) returns payouts language sql stable as $$
  select * from payouts where withdrawal_id = p_withdrawal and state in ('queued', 'sent', 'unknown', 'confirmed')
$$;

-- Returns whether a payout of a withdrawal may have reached the worker and is not settled.
create or replace function is_payout_in_flight(p_withdrawal uuid) returns boolean language sql stable as $$
  select exists (select from payouts where withdrawal_id = p_withdrawal and state in ('sent', 'unknown'))
$$;

-- Refuses because a payout is in flight, or because an Admin has claimed it, alone or in a payout batch.
create or replace function refuse_claimed(p_payout payouts) returns void language plpgsql as $$
begin
  if p_payout.state in ('sent', 'unknown') then
    perform refuse('payout_under_way');
  end if;
  perform refuse(case when (select single from payout_batches where id = p_payout.batch_id) then 'claimed' else 'claimed.batch' end,
    jsonb_build_object('admin', coalesce((select name from users where id = p_payout.claimed_by), '')));
end $$;

-- Adds a queued payout of a withdrawal to a payout batch, with a snapshot of its destination. Its risk is assessed before, so
-- that every way to pay knows the score. The caller holds the withdrawal's row lock.
create or replace function queue_payout(p_withdrawal withdrawals, p_batch uuid, p_admin uuid) returns payouts language plpgsql as $$
declare
  destination payout_destinations;
  payout payouts;
  digits text := (regexp_match(p_withdrawal.account_number, '(\d{8,17}), routing \d{9}$'))[1];
begin
  perform ensure_assessment(p_withdrawal.id);
  select * into destination from payout_destinations where id = p_withdrawal.destination_id;
  if not found and p_withdrawal.payment_system = 'Bank' then
    -- A corrected account number (retry_payout): the other details are those of an attempt before.
    select digits, holder_name, bank_name, branch, routing_number
      into destination.account_number, destination.holder_name, destination.bank_name, destination.branch, destination.routing_number
      from payouts where withdrawal_id = p_withdrawal.id
       and bank_account(bank_name, branch, holder_name, digits, routing_number) = p_withdrawal.account_number
     order by attempt desc limit 1;
  end if;
  insert into payouts (id, batch_id, withdrawal_id, attempt, reference, claimed_by, payment_system, account_number, holder_name,
                       bank_name, branch, routing_number, coins, cents)
  select gen_random_uuid(), p_batch, p_withdrawal.id,
         (select coalesce(max(attempt), 0) + 1 from payouts where withdrawal_id = p_withdrawal.id),
         'TW' || upper(substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)), p_admin, p_withdrawal.payment_system,
         coalesce(destination.account_number, p_withdrawal.account_number), coalesce(destination.holder_name, ''),
         coalesce(destination.bank_name, ''), coalesce(destination.branch, ''), coalesce(destination.routing_number, ''),
         p_withdrawal.coins, p_withdrawal.amount_cents
  returning * into payout;
  return payout;
end $$;

-- Adds a queued payout in a payout batch of one.
create or replace function queue_single_payout(p_withdrawal withdrawals, p_admin uuid) returns payouts language plpgsql as $$
declare
  batch uuid := gen_random_uuid();
begin
  insert into payout_batches (id, single, payment_system, created_by) values (batch, true, p_withdrawal.payment_system, p_admin);
  return queue_payout(p_withdrawal, batch, p_admin);
end $$;

-- Removes a queued payout. A payout batch of one is cancelled with it. The caller holds the row lock of its withdrawal.
create or replace function dequeue_payout(p_payout payouts) returns void language plpgsql as $$
begin
  update payout_batches set state = 'cancelled', cancelled_at = clock_time() where id = p_payout.batch_id and single;
  update payouts set state = 'removed' where id = p_payout.id;
end $$;

-- Claims a request for the Admin who is about to pay it; `awaits_second`: another Admin has to pay it. A claim of another Admin is
-- taken over with a reason. A request that is stopped is refused, because the Admin sends the money after this; it is taken over,
-- so that it can be declined. Lock order: the Admin, the worker, the request.
create or replace function claim_payout(
  p_withdrawal uuid, p_admin uuid, p_reason text default '', out modified int, out awaits_second boolean)
language plpgsql as $$
declare
  request withdrawals;
  live payouts;
begin
  perform require_admin(p_admin);
  if p_reason = '' then
    perform refuse_frozen_withdrawal(p_withdrawal);
  end if;
  request := lock_payable_withdrawal(p_withdrawal, p_admin);
  live := live_payout(p_withdrawal);
  modified := make_claim(request, live, p_admin, p_reason);
  if p_reason = '' then
    perform refuse_stop(p_withdrawal);
  end if;
  awaits_second := needs_second_admin(p_withdrawal) and coalesce(payment_checker(p_withdrawal) = p_admin, true);
  if modified = 0 then
    return;
  end if;
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin,
    case when live.id is null or p_reason = '' then 'payout_claimed' else 'payout_claim_taken_over' end, p_withdrawal,
    jsonb_strip_nulls(jsonb_build_object('from', live.claimed_by, 'reason', nullif(p_reason, ''))));
end $$;

-- Returns whether the payout of a request needs two Admins, and refuses a new Admin as one of them. The caller holds the request's
-- row lock.
create or replace function require_claimant(p_withdrawal uuid, p_admin uuid) returns boolean language plpgsql as $$
declare
  needs_second boolean;
begin
  perform refresh_risk(array[p_withdrawal], interval '0');
  needs_second := needs_second_admin(p_withdrawal);
  if needs_second then
    perform refuse_new_admins(array[p_admin]);
  end if;
  return needs_second;
end $$;

-- Makes a claim without an entry in the audit log, which comes last: a payment has its own. Where two Admins are needed, the
-- claim of the second makes the first the one who checked it. The caller holds the request's row lock.
create or replace function make_claim(p_request withdrawals, p_live payouts, p_admin uuid, p_reason text) returns int language plpgsql as $$
declare
  batch payout_batches;
  needs_second boolean := require_claimant(p_request.id, p_admin);
begin
  if p_live.id is null then
    perform queue_single_payout(p_request, p_admin);
    return 1;
  end if;
  select * into strict batch from payout_batches where id = p_live.batch_id for no key update;
  if p_live.state <> 'queued' or not batch.single then
    perform refuse_claimed(p_live);
  elsif p_live.claimed_by = p_admin then
    return 0;
  end if;
  if batch.checked_by is null and needs_second then
    update payout_batches set state = 'checked', checked_by = p_live.claimed_by, checked_at = clock_time() where id = batch.id;
  elsif p_reason = '' then
    perform refuse_claimed(p_live);
  elsif batch.checked_by = p_admin then
    perform refuse('second_person_required');
  end if;
  update payouts set claimed_by = p_admin, claimed_at = clock_time() where id = p_live.id;
  return 1;
end $$;

create or replace function release_payout_claim(p_withdrawal uuid, p_admin uuid) returns int language plpgsql as $$
declare
  live payouts;
begin
  perform require_admin(p_admin);
  perform from withdrawals where id = p_withdrawal for no key update;
  if not found then
    perform refuse('withdrawal_not_found');
  end if;
  live := live_payout(p_withdrawal);
  if live.id is null or live.state = 'confirmed' then
    return 0;
  elsif live.state <> 'queued' or live.claimed_by is distinct from p_admin
        or not (select single from payout_batches where id = live.batch_id) then
    perform refuse_claimed(live);
  end if;
  perform dequeue_payout(live);
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_claim_released', p_withdrawal);
  return 1;
end $$;
