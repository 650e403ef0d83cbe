-- Decides to refund a payment, in part or (null) what is left of it. Above the setting `refund_rules` another Admin must
-- approve it first; parts of one payment count together. A repetition with the same id changes nothing. Lock order: the
-- Admin, the payment.
create or replace function request_refund(p_id uuid, p_transaction text, p_admin uuid, p_cents bigint, p_reason text)
returns void language plpgsql as $$
declare
  payment payments;
  remaining bigint;
  amount bigint;
  decided bigint;
  needs_second boolean;
begin
  perform require_admin(p_admin);
  select * into payment from payments where transaction_id = p_transaction for no key update;
  if not found then
    perform refuse('payment_not_found');
  elsif payment.user_id = p_admin then
    perform refuse('yourself.payment');
  elsif exists (select from payment_refunds where id = p_id) then
    return;
  end if;
  remaining := payment.amount_cents - payment.reversed_cents;
  amount := coalesce(p_cents, remaining);
  if exists (select from payment_refunds where payment_id = payment.id and state in ('waiting', 'refunding')) then
    perform refuse('state_conflict.refund_open');
  elsif exists (select from payment_disputes where payment_id = payment.id and is_open) then
    perform refuse('state_conflict.refund_disputed');
  elsif remaining = 0 then
    perform refuse('state_conflict.refund_nothing_left');
  elsif amount > remaining then
    perform refuse('invalid_fields.refund', jsonb_build_object('cents', remaining));
  end if;
  select coalesce(sum(cents), 0) into decided from payment_refunds where payment_id = payment.id and state = 'refunded';
  needs_second := coalesce(decided + amount > (operator_setting('refund_rules') ->> 'twoPersonAboveCents')::bigint, false);

  insert into payment_refunds (id, payment_id, cents, reason, state, needs_second, requested_by)
  values (p_id, payment.id, amount, p_reason, case when needs_second then 'waiting' else 'refunding' end::refund_state,
          needs_second, p_admin);
  perform log_refund(p_id, p_admin, 'refund_requested');
end $$;

-- Approves a refund that waits for a second Admin. A repetition by the same Admin changes nothing.
create or replace function approve_refund(p_id uuid, p_admin uuid) returns void language plpgsql as $$
declare
  refund payment_refunds;
begin
  perform require_admin(p_admin);
  refund := lock_refund(p_id);
  if refund.state in ('refunding', 'refunded') and refund.decided_by = p_admin then
    return;
  elsif refund.state <> 'waiting' then
    perform refuse('already_decided.refund', jsonb_build_object('state', refund.state));
  elsif refund.requested_by = p_admin then
    perform refuse('yourself.refund');
  elsif exists (select from payments where id = refund.payment_id and user_id = p_admin) then
    perform refuse('yourself.payment');
  end if;
  perform refuse_new_admins(array[refund.requested_by, p_admin]);
  if exists (select from payment_disputes where payment_id = refund.payment_id and is_open) then
    perform refuse('state_conflict.refund_disputed');
  end if;
  update payment_refunds set state = 'refunding', decided_by = p_admin, decided_at = clock_time() where id = p_id;
  perform log_refund(p_id, p_admin, 'refund_approved');
end $$;

-- Cancels a refund that waits for a second Admin, also by the Admin who asked for it.
create or replace function cancel_refund(p_id uuid, p_admin uuid) returns void language plpgsql as $$
declare
  refund payment_refunds;
begin
  perform require_admin(p_admin);
  refund := lock_refund(p_id);
  if refund.state = 'cancelled' then
    return;
  elsif refund.state <> 'waiting' then
    perform refuse('already_decided.refund', jsonb_build_object('state', refund.state));
  end if;
  update payment_refunds
     set state = 'cancelled', decided_by = p_admin, decided_at = clock_time(), finished_at = clock_time() where id = p_id;
  perform log_refund(p_id, p_admin, 'refund_cancelled');
end $$;

-- Records what the provider says about a refund that was sent: 'refunded' or 'failed'. A refund that the bank returns later
-- fails after it was refunded.
create or replace function finish_refund(p_id uuid, p_state refund_state) returns void language plpgsql as $$
declare
  finished payment_refunds;
begin
  update payment_refunds set state = p_state, finished_at = clock_time()
   where id = p_id and (state = 'refunding' or (state = 'refunded' and p_state = 'failed')) returning * into finished;
  if found then
    perform log_payment_event(finished.payment_id, 'refund_' || case p_state when 'failed' then 'failed' else 'made' end,
      jsonb_build_object('cents', finished.cents));
  end if;
  if finished.state = 'failed' then
    perform notify_admins_of_payment('refund_failed', jsonb_build_object('buyer', users.name, 'cents', finished.cents,
        'intent', payments.transaction_id), finished.payment_id)
       from payments join users on users.id = payments.user_id where payments.id = finished.payment_id;
  end if;
end $$;

-- Locks the payment of a refund, then the refund, and returns the refund.
create or replace function lock_refund(p_id uuid) returns payment_refunds language plpgsql as $$
declare
  locked payment_refunds;
begin
  perform from payments where id = (select payment_id from payment_refunds where id = p_id) for no key update;
  select * into locked from payment_refunds where id = p_id for no key update;
  if not found then
    perform refuse('not_found.refund');
  end if;
  return locked;
end $$;

-- Writes a decision about a refund to the audit log and to the time line of its payment.
create or replace function log_refund(p_id uuid, p_admin uuid, p_action text) returns void language plpgsql as $$
declare
  refund payment_refunds;
begin
  select * into strict refund from payment_refunds where id = p_id;
  perform log_payment_event(refund.payment_id, p_action, jsonb_build_object('cents', refund.cents, 'reason', refund.reason), p_admin);
  perform log_admin_action(p_admin, p_action, refund.payment_id,
    jsonb_build_object('refund', p_id, 'cents', refund.cents, 'reason', refund.reason, 'needsSecond', refund.needs_second));
end $$;

create or replace function audit_refunds()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'refunds by Admins are part of what was taken back of their payment', count(*),
         count(*) filter (where refunded.cents > payments.reversed_cents)
    from (select payment_id, sum(cents) as cents from payment_refunds
           where state = 'refunded' and finished_at < clock_time() - interval '1 hour' group by 1) as refunded
    join payments on payments.id = refunded.payment_id
$$;
