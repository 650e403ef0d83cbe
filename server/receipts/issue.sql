create or replace trigger receipts_immutable before update or delete on receipts
  for each row execute function reject_change();
create or replace trigger receipts_no_truncate before truncate on receipts
  for each statement execute function reject_change();

-- Issues a receipt with the next number of its series (docs/decisions/0045-receipts.md). The counter stays locked until the
-- transaction ends, so it is called at commit only, by the triggers below.
create or replace function issue_receipt(
  p_kind receipt_kind, p_ref uuid, p_payment uuid, p_withdrawal uuid, p_user uuid, p_is_real boolean, p_cents bigint,
  p_line jsonb, p_seller jsonb, p_tax jsonb)
returns uuid language plpgsql as $$
declare
  customer users;
  counter receipt_series;
  prefix text := case when p_is_real then coalesce(p_seller ->> 'numberPrefix', '') else '' end;
  receipt uuid;
begin
  select * into strict customer from users where id = p_user;
  update receipt_series set last_number = last_number + 1
   where series = case when p_is_real then '' else 'TEST-' end
                  || case p_kind when 'purchase' then 'R' when 'refund' then 'C' else 'P' end
  returning * into strict counter;
  insert into receipts (series, number, label, kind, ref, payment_id, withdrawal_id, user_id, seller, customer, lines, tax, cents)
  values (counter.series, counter.last_number, prefix || receipt_number(counter.series, counter.last_number), p_kind, p_ref,
          p_payment, p_withdrawal, p_user, p_seller, jsonb_build_object('name', customer.name, 'email', customer.email),
          jsonb_build_array(p_line), p_tax, p_cents)
  returning id into receipt;
  -- The receipt of a payment is a record of the sale, not a notice: it is sent whatever the user's email settings are.
  if p_kind <> 'payout' and customer.deleted_at is null then
    insert into outbox (topic, user_id, payload) values ('mail', p_user, jsonb_build_object('receipt', receipt));
  end if;
  return receipt;
end $$;

create or replace function receipt_number(p_series text, p_number bigint) returns text language sql immutable as $$
  select p_series || '-' || lpad(p_number::text, greatest(6, length(p_number::text)), '0')
$$;

-- Returns the seller's setting, of which the receipt keeps a copy.
create or replace function receipt_seller() returns jsonb language sql stable as $$
  select coalesce(operator_setting('seller'), '{}')
$$;

-- Returns the tax that an amount includes, or null where the seller charges none. An amount to which a tax was added has it
-- in its payment.
create or replace function included_tax(p_seller jsonb, p_cents bigint) returns jsonb language sql immutable as $$
  select jsonb_build_object('name', p_seller ->> 'taxName', 'percent', percent,
                            'cents', round(p_cents * percent / (100 + percent))::bigint)
    from (select (p_seller ->> 'taxPercent')::numeric as percent) as rate where percent > 0
$$;

create or replace function issue_payment_receipt() returns trigger language plpgsql as $$
declare
  seller jsonb := receipt_seller();
begin
  perform issue_receipt('purchase', new.id, new.id, null, new.user_id, new.mode = 'live', new.amount_cents,
    jsonb_build_object('item', 'coins_bought', 'coins', new.coins, 'cents', new.amount_cents),
    seller, coalesce(new.tax || '{"added": true}', included_tax(seller, new.amount_cents)));
  return null;
end $$;

-- Issues a credit note for a refund or dispute; money that came back after a won dispute is a purchase again. Their tax is that
-- of the first receipt in proportion, and rounded so that a full refund returns all of it.
create or replace function issue_reversal_receipt() returns trigger language plpgsql as $$
declare
  is_refund boolean := new.cents > 0;
  payment payments;
  purchase receipts;
  credited record;
  tax_cents bigint;
begin
  select * into strict payment from payments where id = new.payment_id;
  select * into strict purchase from receipts where kind = 'purchase' and ref = payment.id;
  select coalesce(sum(cents * sign), 0)::bigint as cents, coalesce(sum((tax ->> 'cents')::bigint * sign), 0)::bigint as tax
    into credited
    from (select receipts.*, case kind when 'refund' then 1 else -1 end as sign
            from receipts where payment_id = payment.id and ref <> payment.id) as corrections;
  tax_cents := round((purchase.tax ->> 'cents')::numeric * (credited.cents + new.cents) / purchase.cents)::bigint - credited.tax;

  perform issue_receipt(case when is_refund then 'refund' else 'purchase' end::receipt_kind, new.id, payment.id, null,
    payment.user_id, payment.mode = 'live', abs(new.cents),
    jsonb_build_object('item', case when is_refund then 'coins_refunded' else 'coins_returned' end,
                       'coins', abs(new.coins), 'cents', abs(new.cents)),
    receipt_seller(), purchase.tax || jsonb_build_object('cents', abs(tax_cents)));
  return null;
end $$;

-- Issues the receipt of a confirmed payout, as the payout is then: a transaction id that is entered later is not on it.
create or replace function issue_payout_receipt() returns trigger language plpgsql as $$
declare
  payout record;
begin
  select payouts.transaction_id, payouts.poisha, payouts.fee_poisha, trim_scale(exchange_rates.rate)::text as rate,
         payout_batches.provider is distinct from 'sandbox' as is_real
    into payout
    from payouts join payout_batches on payout_batches.id = payouts.batch_id
    left join exchange_rates on exchange_rates.id = payout_batches.exchange_rate_id
   where payouts.withdrawal_id = new.id and payouts.state = 'confirmed';
  perform issue_receipt('payout', new.id, null, new.id, new.worker_id, payout.is_real, new.amount_cents,
    jsonb_build_object('item', 'coins_paid_out', 'coins', new.coins, 'cents', new.amount_cents,
                       'system', new.payment_system, 'account', new.account_number)
      || jsonb_strip_nulls(jsonb_build_object('transaction', nullif(payout.transaction_id, '')))
      || case when payout.poisha is null then '{}' else jsonb_build_object('taka', jsonb_build_object(
           'poisha', payout.poisha, 'rate', payout.rate, 'feePoisha', payout.fee_poisha)) end,
    receipt_seller(), null);
  return null;
end $$;

-- Issues the receipts of payments that an instance of the release before booked while this one migrated the database.
create or replace function issue_missing_receipts() returns void language sql as $$
  select issue_receipt('purchase', id, id, null, user_id, mode = 'live', amount_cents,
           jsonb_build_object('item', 'coins_bought', 'coins', coins, 'cents', amount_cents), '{}', null)
    from (select * from payments where not exists (select from receipts where kind = 'purchase' and ref = payments.id)
           order by number) as missing;
  select issue_receipt(case when missing.cents > 0 then 'refund' else 'purchase' end::receipt_kind, missing.id, payments.id, null,
           user_id, mode = 'live', abs(missing.cents),
           jsonb_build_object('item', case when missing.cents > 0 then 'coins_refunded' else 'coins_returned' end,
                              'coins', abs(missing.coins), 'cents', abs(missing.cents)), '{}', null)
    from (select * from payment_reversals
           where not exists (select from receipts where kind in ('purchase', 'refund') and ref = payment_reversals.id)
           order by created_at) as missing
    join payments on payments.id = missing.payment_id;
  select issue_receipt('payout', id, null, id, worker_id, true, amount_cents,
           jsonb_build_object('item', 'coins_paid_out', 'coins', coins, 'cents', amount_cents, 'system', payment_system,
                              'account', account_number), '{}', null)
    from (select * from withdrawals
           where status = 'approved' and not exists (select from receipts where kind = 'payout' and ref = withdrawals.id)
           order by decided_at) as missing;
$$;

-- Deferred: at commit every other lock is held already, so a settlement that waits for a counter cannot block one that
-- has it, and the counter is locked for the time of the commit only.
do $$
begin
  if not exists (select from pg_trigger where tgname = 'payments_receipt') then
    create constraint trigger payments_receipt after insert on payments
      deferrable initially deferred for each row execute function issue_payment_receipt();
    create constraint trigger payment_reversals_receipt after insert on payment_reversals
      deferrable initially deferred for each row execute function issue_reversal_receipt();
    create constraint trigger withdrawals_receipt after update of status on withdrawals
      deferrable initially deferred for each row when (new.status = 'approved' and old.status <> 'approved')
      execute function issue_payout_receipt();
    -- The locks of the triggers keep out further ones.
    perform issue_missing_receipts();
  end if;
end $$;
