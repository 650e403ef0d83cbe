-- Returns whether the settings want a second Admin for a withdrawal (docs/specification/payouts.md#two-admins).
create or replace function needs_second_person(p_withdrawal uuid) returns boolean language plpgsql stable as $$
declare
  rules jsonb := operator_setting('payout_rules');
  request withdrawals;
begin
  select * into strict request from withdrawals where id = p_withdrawal;
  return coalesce(request.amount_cents > (rules ->> 'twoPersonAboveCents')::bigint, false)
    or exists (select from risk_assessments where withdrawal_id = p_withdrawal and score >= (rules ->> 'riskScore')::int)
    or (coalesce((rules ->> 'firstPayout')::boolean, false) and not exists (
          select from withdrawals where worker_id = request.worker_id and status = 'approved'))
    or (coalesce((rules ->> 'newAccountNumber')::boolean, false) and not exists (
          select from withdrawals
           where worker_id = request.worker_id and status = 'approved'
             and (payment_system, account_number) = (request.payment_system, request.account_number)));
end $$;
