-- Lets one payment at a time decide whether it needs two Admins, while amounts in parts count together: two at the same moment
-- would not see each other. Call it before anything else is locked, so that what waits here holds nothing.
create or replace function lock_amounts_in_parts() returns void language plpgsql as $$
begin
  if operator_setting('payout_rules') ->> 'twoPersonAboveCents' is not null then
    perform pg_advisory_xact_lock(7461074);
  end if;
end $$;

-- Returns whether the settings want a second Admin for a withdrawal (docs/specification/payouts.md#two-admins).
create or replace function needs_second_admin(p_withdrawal uuid) returns boolean language plpgsql stable as $$
declare
  rules jsonb := operator_setting('payout_rules');
  request withdrawals;
  -- Parts of an amount that are asked for or paid one by one count together, and those that a batch pays with this one.
  recent_cents bigint := 0;
  batch uuid := (select batch_id from payouts where withdrawal_id = p_withdrawal and state = 'queued');
begin
  select * into strict request from withdrawals where id = p_withdrawal;
  if rules ->> 'twoPersonAboveCents' is not null then
    select coalesce(sum(amount_cents), 0) into recent_cents from withdrawals as others
     where (worker_id = request.worker_id
            or account_keys(payment_system, account_number) && account_keys(request.payment_system, request.account_number))
       and id <> p_withdrawal
       and (status = 'approved' and decided_at > clock_time() - interval '24 hours' or status = 'pending'
            and exists (select from payouts
                         where withdrawal_id = others.id
                           and (state in ('sent', 'unknown') or state = 'queued' and batch_id = batch)));
  end if;
  return coalesce(request.amount_cents + recent_cents > (rules ->> 'twoPersonAboveCents')::bigint, false)
    or exists (select from risk_assessments where withdrawal_id = p_withdrawal and score >= (rules ->> 'riskScore')::int)
    or (coalesce((rules ->> 'firstPayout')::boolean, false) and not exists (
          select from withdrawals where worker_id = request.worker_id and status = 'approved'))
    or (coalesce((rules ->> 'newAccountNumber')::boolean, false) and not exists (
          select from withdrawals
           where worker_id = request.worker_id and status = 'approved'
             and (payment_system, account_number) = (request.payment_system, request.account_number)));
end $$;
