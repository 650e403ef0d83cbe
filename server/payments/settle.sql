-- Changes of a purchase's refunds and disputes that are booked. An old response of the provider is recognised by it.
create or replace function purchase_revision(p_purchase uuid) returns bigint language sql stable as $$
  select (select count(*) from payment_reversals where payment_id = p_purchase)
       + (select coalesce(sum(revision), 0) from payment_disputes where payment_id = p_purchase)
$$;

-- Books a paid purchase as the provider reports it (docs/specification/payments.md): credits its coins, once, and books
-- what was refunded and disputed since. `p_revision_seen` is the purchase's revision when the provider was asked; when
-- something was booked meanwhile, the report is out of date and nothing changes. `p_disputes` is as in record_disputes.
-- Returns 'credited', or 'stale' to ask the provider again. Lock order: the buyer, their open tasks, the purchase, accounts.
create or replace function settle_purchase(
  p_purchase uuid, p_revision_seen bigint, p_brand text, p_last4 text, p_fingerprint text, p_refunded_cents bigint,
  p_disputes jsonb)
returns text language plpgsql as $$
declare
  purchase purchases;
  buyer users;
  withheld_cents bigint;
begin
  -- A concurrent deletion of the buyer happens before or after this transaction, and with a dispute so does everything that
  -- they post.
  if p_disputes = '[]' and jsonb_strip_nulls(operator_setting('card_limits')) = '{}' and not has_open_dispute((select user_id from purchases where id = p_purchase)) then
    select users.* into strict buyer from users
     where id = (select user_id from purchases where id = p_purchase) for share;
  else
    select users.* into strict buyer from users
     where id = (select user_id from purchases where id = p_purchase) for no key update;
    perform lock_open_tasks(buyer.id);
  end if;
  select * into strict purchase from purchases where id = p_purchase for no key update;
  if purchase_revision(p_purchase) <> p_revision_seen then
    return 'stale';
  end if;
  if purchase.state = 'refused' then
    return 'stale';
  elsif purchase.state <> 'credited' then
    perform credit_purchase(purchase, buyer, p_brand, p_last4, p_fingerprint);
    if buyer.deleted_at is null then
      perform freeze_above_card_limits(p_purchase, buyer.id, p_fingerprint);
    end if;
  end if;
  withheld_cents := record_disputes(p_purchase, p_disputes);
  perform reverse_payment(p_purchase, buyer, least(p_refunded_cents + withheld_cents, purchase.amount_cents),
                          withheld_cents > 0);
  if p_disputes <> '[]' or has_open_dispute(buyer.id) then
    perform contain_disputes(p_purchase, buyer);
  end if;
  return 'credited';
end $$;

-- Records the payment and credits the coins of its package. A deleted buyer gets no coins: the Admins are notified to
-- return the money.
create or replace function credit_purchase(
  p_purchase purchases, p_buyer users, p_brand text, p_last4 text, p_fingerprint text)
returns void language plpgsql as $$
declare
  is_deleted boolean := p_buyer.deleted_at is not null;
begin
  insert into payments (id, user_id, transaction_id, mode, amount_cents, tax, coins, card_brand, card_last4,
                        card_fingerprint)
  values (p_purchase.id, p_purchase.user_id, p_purchase.intent_id, p_purchase.mode, p_purchase.amount_cents, p_purchase.tax,
          case when is_deleted then 0 else p_purchase.coins end, p_brand, p_last4, p_fingerprint);
  update purchases set state = 'credited', closed_at = clock_time() where id = p_purchase.id;

  if is_deleted then
    perform notify_admins_of_payment('payment_unclaimed', jsonb_build_object(
      'buyer', p_buyer.name, 'cents', p_purchase.amount_cents, 'intent', p_purchase.intent_id), p_purchase.id);
    return;
  end if;
  perform transfer('coins_bought', p_purchase.id, card_clearing_account(), p_buyer.account_id, p_purchase.coins);
  perform notify_user(p_buyer.id, 'coins_bought',
    jsonb_build_object('coins', p_purchase.coins, 'cents', p_purchase.amount_cents), p_purchase.id);
end $$;

-- Refuses a payment that does not match its order: nothing is credited, and the Admins are notified once.
create or replace function reject_purchase(p_purchase uuid) returns void language plpgsql as $$
declare
  purchase purchases;
begin
  update purchases set state = 'refused', closed_at = clock_time()
   where id = p_purchase and state in ('open', 'closed') returning * into purchase;
  if found then
    perform notify_admins_of_payment('payment_refused', jsonb_build_object(
      'intent', purchase.intent_id, 'coins', purchase.coins, 'cents', purchase.amount_cents), purchase.id);
  end if;
end $$;

-- Notifies every Admin about a payment.
create or replace function notify_admins_of_payment(p_kind text, p_params jsonb, p_ref uuid)
returns void language plpgsql as $$
begin
  perform notify_user(id, p_kind, p_params, p_ref) from users
    where role = 'Admin' and deleted_at is null order by id;
end $$;
