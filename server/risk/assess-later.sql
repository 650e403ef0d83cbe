-- Enqueues the assessment of a new withdrawal request for the background job (docs/decisions/0108-assessed-after-the-request.md).
create or replace function enqueue_assessment(p_withdrawal uuid) returns void language sql as $$
  insert into requests_to_assess (withdrawal_id) values (p_withdrawal)
$$;

-- Assesses a request that has no assessment yet, before an Admin's step depends on it. The caller holds the request's row lock.
create or replace function ensure_assessment(p_withdrawal uuid) returns void language plpgsql as $$
begin
  if not exists (select from risk_assessments where withdrawal_id = p_withdrawal) then
    perform assess_risk(p_withdrawal);
  end if;
end $$;

-- Assesses a new request and updates the Admins' pages. Returns false while an Admin's step holds the request.
create or replace function assess_new_request(p_withdrawal uuid) returns boolean language plpgsql as $$
begin
  perform from withdrawals where id = p_withdrawal for no key update skip locked;
  if not found then
    return false;
  end if;
  perform ensure_assessment(p_withdrawal);
  delete from requests_to_assess where withdrawal_id = p_withdrawal;
  if found then
    perform enqueue_payout_change(null);
  end if;
  return true;
end $$;
