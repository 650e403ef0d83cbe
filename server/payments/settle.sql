-- The open purchase of this package by this person; made now if there is none.
create or replace function find_or_create_purchase(p_id uuid, p_user uuid, p_coins bigint, p_cents bigint, p_mode card_mode)
returns uuid language plpgsql as $$
declare
  open_one uuid;
begin
  loop
    insert into purchases (id, user_id, coins, amount_cents, mode) values (p_id, p_user, p_coins, p_cents, p_mode)
    on conflict (user_id, amount_cents) where state = 'open' do nothing;
    if found then
      return p_id;
    end if;
    select id into open_one from purchases where user_id = p_user and amount_cents = p_cents and state = 'open';
    if found then
      return open_one;
    end if;
  end loop;
end $$;

-- Books the provider's record of a purchase that was paid (docs/specification/payments.md): its coins, once, and what the
-- provider has taken back since. `p_seen` is the number of reversals booked when the provider was asked; if another was
-- booked meanwhile, the record is out of date and nothing happens. `p_back_cents` is what the provider holds back now,
-- refunds and disputes together. Returns 'credited', or 'stale' to ask again.
create or replace function settle_purchase(
  p_purchase uuid, p_seen bigint, p_brand text, p_last4 text, p_back_cents bigint, p_disputed boolean)
returns text language plpgsql as $$
declare
  bought purchases;
  buyer users;
begin
  -- Who is being deleted is deleted before or after this, never meanwhile.
  select users.* into strict buyer from users
   where id = (select user_id from purchases where id = p_purchase) for share;
  select * into strict bought from purchases where id = p_purchase for no key update;
  if (select count(*) from payment_reversals where payment_id = p_purchase) <> p_seen then
    return 'stale';
  end if;
  if bought.state <> 'credited' then
    perform credit_purchase(bought, buyer, p_brand, p_last4);
  end if;
  perform reverse_payment(p_purchase, buyer, least(p_back_cents, bought.amount_cents), p_disputed);
  return 'credited';
end $$;

-- The coins of a package, from card clearing to the buyer. Who is gone by now gets none: the money is written down and
-- the Admin must return it.
create or replace function credit_purchase(p_bought purchases, p_buyer users, p_brand text, p_last4 text)
returns void language plpgsql as $$
declare
  gone boolean := p_buyer.deleted_at is not null;
begin
  insert into payments (id, user_id, transaction_id, mode, amount_cents, coins, card_brand, card_last4)
  values (p_bought.id, p_bought.user_id, p_bought.intent_id, p_bought.mode, p_bought.amount_cents,
          case when gone then 0 else p_bought.coins end, p_brand, p_last4);
  update purchases set state = 'credited', closed_at = clock_time() where id = p_bought.id;

  if gone then
    perform notify_admins_of_payment('payment_unclaimed', jsonb_build_object(
      'buyer', p_buyer.name, 'cents', p_bought.amount_cents, 'intent', p_bought.intent_id), p_bought.id);
    return;
  end if;
  perform transfer('coins_bought', p_bought.id, card_clearing_account(), p_buyer.account_id, p_bought.coins);
  perform notify_user(p_buyer.id, 'coins_bought',
    jsonb_build_object('coins', p_bought.coins, 'cents', p_bought.amount_cents), p_bought.id);
end $$;

-- Brings the coins in line with what the provider holds back now: takes them in proportion, in the buyer's favour where
-- it does not divide; gives them back when a dispute was won.
create or replace function reverse_payment(p_payment uuid, p_buyer users, p_back_cents bigint, p_disputed boolean)
returns void language plpgsql as $$
declare
  paid payments;
  back_coins bigint;
  more_cents bigint;
  more_coins bigint;
  reversal uuid := gen_random_uuid();
  still_owed bigint := 0;
begin
  select * into strict paid from payments where id = p_payment for no key update;
  more_cents := p_back_cents - paid.reversed_cents;
  if more_cents = 0 then
    return;
  end if;
  back_coins := paid.coins * p_back_cents / paid.amount_cents;
  more_coins := back_coins - paid.reversed_coins;
  if more_coins < 0 and p_buyer.deleted_at is not null then
    more_coins := 0;
  end if;

  insert into payment_reversals (id, payment_id, cents, coins) values (reversal, p_payment, more_cents, more_coins);
  update payments set reversed_cents = p_back_cents, reversed_coins = reversed_coins + more_coins,
    status = case when p_back_cents = 0 then 'paid' when p_disputed then 'disputed' else 'refunded' end::payment_status
   where id = p_payment;

  if more_coins > 0 then
    select taken_back.owed into strict still_owed
      from reverse_purchase(reversal, p_buyer.account_id, more_coins) as taken_back;
  elsif more_coins < 0 then
    perform transfer('coins_bought', reversal, card_clearing_account(), p_buyer.account_id, -more_coins);
  end if;
  perform notify_reversal(paid, p_buyer, more_cents, more_coins, still_owed, p_disputed);
end $$;

create or replace function notify_reversal(
  p_paid payments, p_buyer users, p_cents bigint, p_coins bigint, p_owed bigint, p_disputed boolean)
returns void language plpgsql as $$
declare
  details jsonb := jsonb_build_object('buyer', p_buyer.name,
    'cause', case when p_cents < 0 then 'won' when p_disputed then 'dispute' else 'refund' end,
    'cents', abs(p_cents), 'coins', abs(p_coins), 'owed', p_owed);
begin
  perform notify_admins_of_payment('payment_reversed', details || '{"recipient": "admin"}', p_paid.id);
  if p_buyer.deleted_at is null then
    perform notify_user(p_buyer.id, 'payment_reversed', details || '{"recipient": "buyer"}', p_paid.id);
  end if;
end $$;

-- The provider has money for this purchase that does not fit what was ordered: nothing is credited, and the Admin is
-- told once.
create or replace function reject_purchase(p_purchase uuid) returns void language plpgsql as $$
declare
  refused purchases;
begin
  update purchases set state = 'refused', closed_at = clock_time()
   where id = p_purchase and state in ('open', 'closed') returning * into refused;
  if found then
    perform notify_admins_of_payment('payment_refused', jsonb_build_object(
      'intent', refused.intent_id, 'coins', refused.coins, 'cents', refused.amount_cents), refused.id);
  end if;
end $$;

create or replace function notify_admins_of_payment(p_kind text, p_params jsonb, p_ref uuid)
returns void language plpgsql as $$
begin
  perform notify_user(id, p_kind, p_params, p_ref) from users
    where role = 'Admin' and deleted_at is null order by id;
end $$;
