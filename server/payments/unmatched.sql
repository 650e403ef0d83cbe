-- Records a paid intent that credits nothing, once. Admins are notified of one of which money is left. Money that was refunded at
-- the provider needs no decision.
create or replace function record_unmatched_payment(
  p_intent text, p_cause unmatched_cause, p_mode card_mode, p_purchase text, p_user text, p_cents bigint,
  p_refunded_cents bigint, p_currency text, p_brand text, p_last4 text, p_fingerprint text, p_paid_at timestamptz,
  p_tax jsonb, p_disputes jsonb)
returns void language plpgsql as $$
declare
  is_refunded boolean := p_refunded_cents >= p_cents;
  recorded uuid;
begin
  insert into unmatched_payments
    (intent_id, cause, mode, purchase_id, user_id, cents, refunded_cents, currency, card_brand, card_last4, card_fingerprint,
     paid_at, tax, state, decided_at, disputes, disputed_cents, is_disputed)
  values (p_intent, p_cause, p_mode, uuid_or_null(p_purchase), (select id from users where id = uuid_or_null(p_user)), p_cents,
          least(p_refunded_cents, p_cents), p_currency, p_brand, p_last4, p_fingerprint, p_paid_at,
          case when (p_tax ->> 'cents')::bigint < p_cents then p_tax end,
          case when is_refunded then 'refunded' else 'open' end::unmatched_state,
          case when is_refunded then clock_time() end, p_disputes, withheld_cents(p_disputes, p_cents - p_refunded_cents), is_disputed(p_disputes))
  on conflict (intent_id) do nothing
  returning id into recorded;
  if found and not is_refunded and p_cause = 'no_purchase' then
    perform notify_admins_of_payment('payment_unmatched', jsonb_build_object('intent', p_intent, 'cents', p_cents), recorded);
  end if;
  if recorded is not null then
    perform contain_unmatched_dispute(recorded, false);
  end if;
end $$;

-- Returns the cents that disputes withhold, at most those that are left of the payment.
create or replace function withheld_cents(p_disputes jsonb, p_left bigint) returns bigint language sql immutable as $$
  select least(coalesce(sum(cents), 0), greatest(p_left, 0))::bigint
    from jsonb_to_recordset(p_disputes) as given(cents bigint, effect text) where effect = 'withhold'
$$;

create or replace function is_disputed(p_disputes jsonb) returns boolean language sql immutable as $$
  select exists (select from jsonb_to_recordset(p_disputes) as given("isOpen" boolean) where "isOpen")
$$;

-- Freezes the buyer of an unmatched payment while a dispute of it is open (docs/payments.md#containment), and notifies the Admins
-- of one that opens. Lock order: the unmatched payment, the buyer.
create or replace function contain_unmatched_dispute(p_id uuid, p_was_disputed boolean) returns void language plpgsql as $$
declare
  unmatched unmatched_payments;
begin
  select * into strict unmatched from unmatched_payments where id = p_id;
  if unmatched.is_disputed and not p_was_disputed then
    perform notify_admins_of_payment('unmatched_disputed', jsonb_build_object(
      'state', 'opened', 'intent', unmatched.intent_id, 'cents', unmatched.disputed_cents), p_id);
  end if;
  if unmatched.is_disputed or unmatched.contained_at is not null then
    perform from users where id = unmatched.user_id and deleted_at is null for no key update;
    if found then
      perform freeze_disputing_buyer(null, unmatched.user_id);
    end if;
  end if;
end $$;

-- Records an early fraud warning about an unmatched payment, once, and notifies the Admins. Returns whether the payment is listed.
create or replace function record_unmatched_fraud_warning(p_intent text) returns boolean language plpgsql as $$
declare
  warned unmatched_payments;
begin
  update unmatched_payments set fraud_warning_at = clock_time()
   where intent_id = p_intent and fraud_warning_at is null and state <> 'credited'
  returning * into warned;
  if found then
    perform notify_admins_of_payment('unmatched_disputed', jsonb_build_object(
      'state', 'warning', 'intent', p_intent, 'cents', warned.cents), warned.id);
  end if;
  return exists (select from unmatched_payments where intent_id = p_intent);
end $$;

-- Updates what was received, refunded and disputed of an unmatched payment. Money that was refunded at the provider needs no decision; a
-- refund that fails later needs one again. Returns false when something was recorded after `p_seen_revision`, which the caller read
-- before it asked the provider: the provider's response may be older than what is recorded.
create or replace function update_unmatched_payment(
  p_intent text, p_seen_revision bigint, p_cents bigint, p_refunded_cents bigint, p_disputes jsonb)
returns boolean language plpgsql as $$
declare
  is_refunded boolean := p_refunded_cents >= p_cents;
  known unmatched_payments;
begin
  select * into strict known from unmatched_payments where intent_id = p_intent for no key update;
  if known.revision <> p_seen_revision then
    return false;
  elsif known.state = 'credited' or (known.cents, known.refunded_cents, known.disputes) = (p_cents, least(p_refunded_cents, p_cents), p_disputes) then
    return true;
  end if;
  update unmatched_payments
     set cents = p_cents, refunded_cents = least(p_refunded_cents, p_cents), revision = revision + 1,
         disputes = p_disputes, disputed_cents = withheld_cents(p_disputes, p_cents - p_refunded_cents), is_disputed = is_disputed(p_disputes),
         state = case when is_refunded then 'refunded' else state end::unmatched_state,
         decided_at = case when is_refunded then coalesce(decided_at, clock_time()) else decided_at end
   where id = known.id;
  if known.state = 'refunded' and not is_refunded then
    perform reopen_unmatched_payment(known.id, 'refunded');
  end if;
  perform contain_unmatched_dispute(known.id, known.is_disputed);
  return true;
end $$;

-- Returns the coins of the package that had this price when a payment could have been begun: at its time, or in the 23 hours
-- before it (INTENT_HOURS_MAX). Null when there was none.
create or replace function package_coins(p_cents bigint, p_at timestamptz) returns bigint language sql stable as $$
  select (package ->> 'coins')::bigint
    from (select *, lead(changed_at) over (order by version) as until from operator_setting_changes where name = 'packages') as prices,
         jsonb_array_elements(value -> 'packages') as package
   where (version = 1 or changed_at <= p_at) and (until is null or until > p_at - interval '23 hours')
     and (package ->> 'priceCents')::bigint = p_cents
   order by version desc limit 1
$$;

create or replace function uuid_or_null(p_text text) returns uuid language sql immutable as $$
  select case when p_text ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then p_text::uuid end
$$;

-- Locks an unmatched payment for a decision of an Admin, and returns whether the decision waits for another Admin now: above
-- the setting `refund_rules` it needs two, and the caller logs the request last. `p_approves`: it is the other Admin's approval of
-- the same decision.
create or replace function request_unmatched_decision(
  p_id uuid, p_admin uuid, p_decision text, p_reason text, p_approves boolean)
returns boolean language plpgsql as $$
declare
  unmatched unmatched_payments;
  two_above bigint := (operator_setting('refund_rules') ->> 'twoPersonAboveCents')::bigint;
begin
  perform require_admin(p_admin);
  select * into unmatched from unmatched_payments where id = p_id for update;
  if not found then
    perform refuse('payment_not_found');
  elsif unmatched.state <> 'open' then
    perform refuse('already_decided.unmatched_payment', jsonb_build_object('state', unmatched.state));
  elsif unmatched.user_id = p_admin then
    perform refuse('yourself.payment');
  elsif p_approves and unmatched.requested_decision is distinct from p_decision then
    perform refuse('already_decided.unmatched_request');
  elsif p_approves and unmatched.requested_by = p_admin then
    perform refuse('yourself.unmatched_payment');
  elsif p_approves then
    perform refuse_new_admins(array[unmatched.requested_by, p_admin]);
    return false;
  elsif unmatched.requested_by is not null then
    perform refuse('already_decided.unmatched_requested');
  elsif two_above is null or (unmatched.currency = 'usd' and unmatched.cents <= two_above) then
    return false;
  end if;
  update unmatched_payments
     set requested_decision = p_decision, requested_by = p_admin, requested_at = clock_time(), reason = p_reason where id = p_id;
  return true;
end $$;

create or replace function log_unmatched_request(p_id uuid, p_admin uuid) returns void language sql as $$
  select log_admin_action(p_admin, 'unmatched_payment_requested', p_id, jsonb_build_object(
    'intent', intent_id, 'cents', cents, 'decision', requested_decision, 'reason', reason))
    from unmatched_payments where id = p_id
$$;

-- Withdraws a decision that waits for another Admin. The Admin who requested it may do so too.
create or replace function cancel_unmatched_decision(p_id uuid, p_admin uuid) returns void language plpgsql as $$
declare
  unmatched unmatched_payments;
begin
  perform require_admin(p_admin);
  select * into unmatched from unmatched_payments where id = p_id for update;
  if not found then
    perform refuse('payment_not_found');
  elsif unmatched.state <> 'open' then
    perform refuse('already_decided.unmatched_payment', jsonb_build_object('state', unmatched.state));
  elsif unmatched.requested_by is null then
    return;
  end if;
  update unmatched_payments set requested_decision = null, requested_by = null, requested_at = null, reason = '' where id = p_id;
  perform log_admin_action(p_admin, 'unmatched_payment_cancelled', p_id, jsonb_build_object(
    'intent', unmatched.intent_id, 'decision', unmatched.requested_decision));
end $$;

-- Credits an unmatched payment to the buyer that it names, with the coins of the package of its amount, by an Admin's
-- decision. Returns its purchase, which is created when it is missing and due for a comparison with the provider; null while the
-- decision waits for another Admin.
-- Lock order: the Admin, the payment, the buyer, the purchase.
create or replace function credit_unmatched_payment(p_id uuid, p_admin uuid, p_coins bigint, p_reason text, p_approves boolean)
returns uuid language plpgsql as $$
declare
  unmatched unmatched_payments;
  buyer users;
  purchase purchases;
  waits boolean := request_unmatched_decision(p_id, p_admin, 'credit', p_reason, p_approves);
begin
  select * into strict unmatched from unmatched_payments where id = p_id;
  select * into buyer from users where id = unmatched.user_id and deleted_at is null for share;
  if not found then
    perform refuse('user_not_found.unmatched_payment');
  elsif unmatched.currency <> 'usd' or p_coins is null then
    perform refuse('state_conflict.unmatched_payment');
  elsif exists (select from purchases where intent_id = unmatched.intent_id and user_id <> buyer.id) then
    perform refuse('state_conflict.unmatched_buyer');
  elsif waits then
    perform log_unmatched_request(p_id, p_admin);
    return null;
  end if;

  update purchases set coins = p_coins, amount_cents = unmatched.cents, tax = unmatched.tax, checked_at = clock_time() - interval '1 day'
   where intent_id = unmatched.intent_id
  returning * into purchase;
  if not found then
    insert into purchases (id, user_id, coins, amount_cents, tax, mode, intent_id, state, created_at, checked_at, closed_at)
    values (case when unmatched.purchase_id is null or exists (select from purchases where id = unmatched.purchase_id)
                 then gen_random_uuid() else unmatched.purchase_id end,
            buyer.id, p_coins, unmatched.cents, unmatched.tax, unmatched.mode, unmatched.intent_id, 'closed', unmatched.paid_at,
            clock_time() - interval '1 day', clock_time())
    returning * into purchase;
  end if;
  perform credit_purchase(purchase, buyer, unmatched.card_brand, unmatched.card_last4, unmatched.card_fingerprint);
  update payments set fraud_warning_at = unmatched.fraud_warning_at where id = purchase.id and unmatched.fraud_warning_at is not null;
  update unmatched_payments
     set state = 'credited', decided_at = clock_time(), decided_by = p_admin, reason = p_reason, purchase_id = purchase.id
   where id = p_id;
  perform log_admin_action(p_admin, 'unmatched_payment_credited', p_id, jsonb_build_object(
    'intent', unmatched.intent_id, 'user', buyer.id, 'cents', unmatched.cents, 'coins', p_coins, 'reason', p_reason));
  return purchase.id;
end $$;

-- Decides to refund an unmatched payment, unless the decision waits for another Admin. The provider is asked afterwards; a
-- repetition asks it again.
create or replace function start_unmatched_refund(p_id uuid, p_admin uuid, p_reason text, p_approves boolean)
returns void language plpgsql as $$
declare
  unmatched unmatched_payments;
begin
  perform require_admin(p_admin);
  if exists (select from unmatched_payments where id = p_id and state = 'refunding') then
    return;
  elsif exists (select from unmatched_payments where id = p_id and is_disputed) then
    perform refuse('state_conflict.refund_disputed');
  elsif request_unmatched_decision(p_id, p_admin, 'refund', p_reason, p_approves) then
    perform log_unmatched_request(p_id, p_admin);
    return;
  end if;
  update unmatched_payments set state = 'refunding', decided_at = clock_time(), decided_by = p_admin, reason = p_reason
   where id = p_id returning * into strict unmatched;
  perform log_admin_action(p_admin, 'unmatched_payment_refunded', p_id, jsonb_build_object(
    'intent', unmatched.intent_id, 'cents', unmatched.cents - unmatched.refunded_cents, 'reason', p_reason));
end $$;

-- Makes a payment whose refund the provider rejects, or made and reports as failed later (`p_state` is 'refunded'), wait for a
-- decision again, and notifies the Admins. The next refund after one that was made needs another idempotency key, and may be rejected
-- REJECTIONS_MAX (unmatched.ts) times like any other: its attempts begin at the next multiple.
create or replace function reopen_unmatched_payment(p_id uuid, p_state unmatched_state default 'refunding') returns void language plpgsql as $$
declare
  reopened unmatched_payments;
begin
  update unmatched_payments
     set state = 'open', decided_at = null, decided_by = null, requested_decision = null, requested_by = null, requested_at = null, reason = '',
         refund_attempts = case state when 'refunded' then (refund_attempts / 5 + 1) * 5 else refund_attempts end
   where id = p_id and state = p_state returning * into reopened;
  if found then
    perform notify_admins_of_payment('unmatched_refund_failed', jsonb_build_object(
      'intent', reopened.intent_id, 'cents', reopened.cents - reopened.refunded_cents), p_id);
  end if;
end $$;

create or replace function audit_unmatched()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every refused payment is listed for a decision', count(*), count(*) filter (where unmatched.id is null)
    from purchases left join unmatched_payments as unmatched on unmatched.intent_id = purchases.intent_id
   where purchases.state = 'refused'
  union all
  select 'an unmatched payment credited coins only by a decision', count(*),
         count(*) filter (where (unmatched.state = 'credited') <> (payments.id is not null))
    from unmatched_payments as unmatched left join payments on payments.transaction_id = unmatched.intent_id
  union all
  select 'a decision about an unmatched payment that two Admins make has two', count(*),
         count(*) filter (where requested_by is not distinct from decided_by)
    from unmatched_payments where requested_by is not null and decided_by is not null
$$;
