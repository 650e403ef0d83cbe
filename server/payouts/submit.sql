-- Returns whether a request may not be paid now: it is frozen, its risk score stops it, its coins are of an open dispute, or its
-- corrected account number waits.
create or replace function is_payout_stopped(p_withdrawal uuid) returns boolean language plpgsql stable as $$
begin
  return is_withdrawal_frozen(p_withdrawal) or is_stopped_by_risk(p_withdrawal) or has_disputed_coins(p_withdrawal)
         or exists (select from withdrawals where id = p_withdrawal and payable_at > clock_time());
end $$;

-- Marks a released payout as given to the provider, once, before the provider is called. Returns false when another
-- instance was first, or when the request was stopped after the release: then the payout fails, and its coins stay on hold.
-- Lock order: the worker, the withdrawal, the batch, the payout.
create or replace function submit_payout(p_payout uuid) returns boolean language plpgsql as $$
declare
  payout payouts;
begin
  perform lock_payout_worker(p_payout);
  payout := lock_payout(p_payout);
  if payout.state <> 'sent' or payout.submitted_at is not null then
    return false;
  elsif is_payout_stopped(payout.withdrawal_id) then
    perform fail_payout(p_payout, 'stop', null, 'Stopped before it was sent', false);
    return false;
  end if;
  update payouts set submitted_at = clock_time() where id = p_payout;
  return true;
end $$;
