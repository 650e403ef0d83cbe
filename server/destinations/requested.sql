-- Returns the live destination that a withdrawal request goes to: the one it names, or else the one with its account;
-- null without any. Refuses one that cannot be used yet. While new destinations wait, an account that is not saved is
-- accepted only if the user was paid to it, or nothing is known of where they are paid
-- (docs/decisions/0041-payout-destinations.md). The caller locks the user's row, as every change of destinations does.
create or replace function requested_destination(
  p_user uuid, p_destination uuid, p_system payment_system, p_account text)
returns payout_destinations language plpgsql as $$
declare
  requested payout_destinations;
  wait_hours int;
begin
  select * into requested from payout_destinations as candidates
   where user_id = p_user and state <> 'removed' and id = coalesce(p_destination, id)
     and (p_destination is not null or payment_system = p_system)
     and (p_destination is not null or p_account in (account_number, destination_account(candidates)))
   order by id limit 1;
  if found then
    if requested.payment_system <> p_system
       or p_account not in (requested.account_number, destination_account(requested)) then
      perform refuse('state_conflict.destination', jsonb_build_object('account', destination_account(requested)));
    elsif requested.usable_at > clock_time() then
      perform refuse('destination_waiting', jsonb_build_object('hours',
        ceil(extract(epoch from requested.usable_at - clock_time()) / 3600)));
    end if;
    return requested;
  elsif p_destination is not null then
    perform refuse('destination_not_found');
  end if;

  wait_hours := operator_setting('payout_limits') ->> 'destinationWaitHours';
  if wait_hours > 0 and not was_paid_to(p_user, p_system, p_account)
     and (exists (select from payout_destinations where user_id = p_user)
          or exists (select from withdrawals where worker_id = p_user and status = 'approved')) then
    perform refuse('destination_waiting.unsaved', jsonb_build_object('hours', wait_hours));
  end if;
  return null;
end $$;
