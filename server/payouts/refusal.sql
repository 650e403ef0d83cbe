-- Returns the key of the refusal if an Admin may not pay a request now, else null. Refuses itself, with parameters, while the
-- destination waits and for Admins who are too new. Every path that pays a request calls it first.
create or replace function payout_refusal(p_withdrawal uuid, p_admin uuid) returns text language plpgsql stable as $$
declare
  checker uuid;
  payable_from timestamptz;
begin
  if has_disputed_coins(p_withdrawal) then
    return 'state_conflict.disputed_withdrawal';
  elsif is_stopped_by_risk(p_withdrawal) then
    return 'risk_review';
  end if;
  select payable_at into payable_from from withdrawals where id = p_withdrawal and payable_at > clock_time();
  if found then
    perform refuse('destination_waiting.corrected',
      jsonb_build_object('hours', ceil(extract(epoch from payable_from - clock_time()) / 3600)));
  end if;
  if needs_second_person(p_withdrawal) then
    select payout_batches.checked_by into checker
      from payouts join payout_batches on payout_batches.id = payouts.batch_id
     where payouts.withdrawal_id = p_withdrawal and payouts.state = 'queued';
    if checker is null or checker = p_admin then
      return 'second_person_required';
    end if;
    perform refuse_new_admins(array[checker, p_admin]);
  end if;
  return null;
end $$;
