-- Locks a pending withdrawal that `p_admin` may pay or clear for payment.
create or replace function lock_payable_withdrawal(p_withdrawal uuid, p_admin uuid) returns withdrawals language plpgsql as $$
declare
  request withdrawals;
begin
  select * into request from withdrawals where id = p_withdrawal for no key update;
  if not found then
    perform refuse('withdrawal_not_found');
  elsif request.worker_id = p_admin then
    perform refuse('yourself.withdrawal');
  elsif request.status <> 'pending' then
    perform refuse('already_decided.withdrawal', jsonb_build_object('status', request.status));
  end if;
  return request;
end $$;
