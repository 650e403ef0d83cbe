-- Returns the Admin who checked the queued payout of a request.
create or replace function payment_checker(p_withdrawal uuid) returns uuid language sql stable as $$
  select payout_batches.checked_by from payouts join payout_batches on payout_batches.id = payouts.batch_id
   where payouts.withdrawal_id = p_withdrawal and payouts.state = 'queued'
$$;

-- Refuses to pay a request that its risk, a card dispute or a new account number stops.
create or replace function refuse_stop(p_withdrawal uuid) returns void language plpgsql as $$
declare
  payable_from timestamptz;
begin
  if has_disputed_coins(p_withdrawal) then
    perform refuse('state_conflict.disputed_withdrawal', worker_of_withdrawal(p_withdrawal));
  elsif is_stopped_by_risk(p_withdrawal) then
    perform refuse('risk_review', worker_of_withdrawal(p_withdrawal));
  end if;
  select payable_at into payable_from from withdrawals where id = p_withdrawal and payable_at > clock_time();
  if found then
    perform refuse('destination_waiting.corrected', worker_of_withdrawal(p_withdrawal)
      || jsonb_build_object('hours', ceil(extract(epoch from payable_from - clock_time()) / 3600)));
  end if;
end $$;

-- Refuses to pay a request that is stopped, or that needs another Admin. Every path that pays a request calls it first.
create or replace function refuse_stopped_withdrawal(p_withdrawal uuid, p_admin uuid) returns void language plpgsql as $$
declare
  checker uuid;
begin
  perform refuse_stop(p_withdrawal);
  if needs_second_admin(p_withdrawal) then
    checker := payment_checker(p_withdrawal);
    if checker is null or checker = p_admin then
      perform refuse('second_person_required');
    end if;
    perform refuse_new_admins(array[checker, p_admin]);
  end if;
end $$;
