-- Brings the coins of a payment in line with what the provider holds back now: takes them in proportion, rounded in the
-- buyer's favour, and gives them back after a dispute was won.
create or replace function reverse_payment(p_payment uuid, p_buyer users, p_reversed_cents bigint, p_disputed boolean)
returns void language plpgsql as $$
declare
  payment payments;
  delta_cents bigint;
  delta_coins bigint;
  reversal uuid := gen_random_uuid();
  owed bigint := 0;
begin
  select * into strict payment from payments where id = p_payment for no key update;
  delta_cents := p_reversed_cents - payment.reversed_cents;
  if delta_cents = 0 then
    return;
  end if;
  delta_coins := payment.coins * p_reversed_cents / payment.amount_cents - payment.reversed_coins;
  if delta_coins < 0 and p_buyer.deleted_at is not null then
    delta_coins := 0;
  end if;

  insert into payment_reversals (id, payment_id, cents, coins) values (reversal, p_payment, delta_cents, delta_coins);
  update payments set reversed_cents = p_reversed_cents, reversed_coins = payment.reversed_coins + delta_coins,
    status = case when p_reversed_cents = 0 then 'paid' when p_disputed then 'disputed' else 'refunded' end::payment_status
   where id = p_payment;

  if delta_coins > 0 then
    select reversed.owed into strict owed
      from reverse_purchase(reversal, p_buyer.account_id, delta_coins) as reversed;
  elsif delta_coins < 0 then
    perform transfer('coins_bought', reversal, card_clearing_account(), p_buyer.account_id, -delta_coins);
  end if;
  perform notify_reversal(p_payment, p_buyer, delta_cents, delta_coins, owed, p_disputed);
end $$;

-- Notifies the Admins and the buyer of a reversal; negative cents and coins came back.
create or replace function notify_reversal(
  p_payment uuid, p_buyer users, p_cents bigint, p_coins bigint, p_owed bigint, p_disputed boolean)
returns void language plpgsql as $$
declare
  params jsonb := jsonb_build_object('buyer', p_buyer.name,
    'cause', case when p_cents < 0 then 'won' when p_disputed then 'dispute' else 'refund' end,
    'cents', abs(p_cents), 'coins', abs(p_coins), 'owed', p_owed);
begin
  perform notify_admins_of_payment('payment_reversed', params || '{"recipient": "admin"}', p_payment);
  if p_buyer.deleted_at is null then
    perform notify_user(p_buyer.id, 'payment_reversed', params || '{"recipient": "buyer"}', p_payment);
  end if;
end $$;
