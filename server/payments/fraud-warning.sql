-- Records an early fraud warning of the card network about a payment, once, and notifies the Admins: a refund now prevents
-- the dispute that usually follows.
create or replace function record_fraud_warning(p_payment uuid) returns void language plpgsql as $$
declare
  payment payments;
begin
  update payments set fraud_warning_at = clock_time() where id = p_payment and fraud_warning_at is null
  returning * into payment;
  if found then
    perform notify_admins_of_payment('fraud_warning', jsonb_build_object(
        'buyer', users.name, 'cents', payment.amount_cents, 'intent', payment.transaction_id), p_payment)
       from users where users.id = payment.user_id;
  end if;
end $$;
