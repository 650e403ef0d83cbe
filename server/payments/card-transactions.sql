-- Returns the differences between the provider's balance and our payments (docs/payments.md#reconciliation). Transactions and
-- reversals of the last hour are left out, and a charge may be missing for two days. Payments from before the first run
-- (`card_transactions_from`) are not compared. A charge without a payment intent is known by its own id. Amounts in another currency
-- than dollars cannot be compared: the first transaction in one is a difference without amounts.
create or replace function card_differences()
returns table (kind text, intent_id text, provider_cents bigint, our_cents bigint) language sql stable as $$
  with provider as (
    select coalesce(card_transactions.intent_id, source_id, id) as intent_id,
           coalesce(sum(cents) filter (where type in ('charge', 'payment')), 0)::bigint as charged,
           -coalesce(sum(cents) filter (where type not in ('charge', 'payment')), 0)::bigint as returned,
           max(created_at) as last_at, bool_and(currency = 'usd') as is_comparable
      from card_transactions
     where card_transactions.intent_id is not null or type in ('charge', 'payment') group by 1
  ),
  compared as (
    select provider.*, payments.id, payments.amount_cents, payments.reversed_cents
      from provider left join payments on payments.transaction_id = provider.intent_id
     where provider.last_at < clock_time() - interval '1 hour' and is_comparable
  )
  select 'unknown_charge', compared.intent_id, charged, 0::bigint from compared
   where id is null and charged <> 0
     and not exists (select from unmatched_payments where unmatched_payments.intent_id = compared.intent_id)
  union all
  select 'amount_differs', compared.intent_id, charged, amount_cents from compared where id is not null and charged <> amount_cents
  union all
  select 'reversal_differs', compared.intent_id, returned, reversed_cents from compared
   where id is not null and returned <> reversed_cents
     and not exists (select from payment_reversals
                      where payment_id = compared.id and created_at > clock_time() - interval '1 hour')
  union all
  select 'missing_charge', payments.transaction_id, 0::bigint, payments.amount_cents from payments
   where paid_at > (select (value #>> '{}')::timestamptz from installation where name = 'card_transactions_from') and paid_at < clock_time() - interval '2 days'
     and not exists (select from provider where provider.intent_id = payments.transaction_id)
  union all
  (select 'other_currency', id, 0::bigint, 0::bigint from card_transactions
    where currency <> 'usd' order by created_at, id limit 1)
$$;

-- Opens a card case for each new difference, also where one that was resolved has changed, and resolves those that disappeared.
-- Returns how many were opened, and notifies the Admins of them.
create or replace function update_card_cases() returns bigint language plpgsql as $$
declare
  opened bigint;
begin
  with differences as materialized (select * from card_differences()),
  resolved as (
    update card_cases set resolved_at = clock_time(), note = 'The amounts agree now.'
     where resolved_at is null
       and not exists (select from differences
                        where differences.kind = card_cases.kind and differences.intent_id = card_cases.intent_id)
  ),
  changed as (
    insert into card_cases as known (kind, intent_id, provider_cents, our_cents)
    select differences.kind, differences.intent_id, differences.provider_cents, differences.our_cents from differences
    on conflict (kind, intent_id) do update
       set provider_cents = excluded.provider_cents, our_cents = excluded.our_cents, opened_at = clock_time(),
           resolved_at = null, resolved_by = null, note = ''
     where (known.provider_cents, known.our_cents) <> (excluded.provider_cents, excluded.our_cents)
        or known.resolved_at is not null and known.resolved_by is null
    returning known.id
  )
  select count(*) into opened from changed;
  if opened > 0 then
    perform notify_admins_of_payment('card_cases_opened', jsonb_build_object('count', opened), null);
  end if;
  return opened;
end $$;

-- Resolves a card case with an Admin's note.
create or replace function resolve_card_case(p_id uuid, p_admin uuid, p_note text) returns void language plpgsql as $$
declare
  resolved card_cases;
begin
  update card_cases set resolved_at = clock_time(), resolved_by = p_admin, note = p_note
   where id = p_id and resolved_at is null returning * into resolved;
  if not found then
    perform refuse(case when exists (select from card_cases where id = p_id)
                        then 'already_decided.card_case' else 'not_found.card_case' end);
  end if;
  perform log_admin_action(p_admin, 'card_case_resolved', p_id, jsonb_build_object('kind', resolved.kind,
    'intent', resolved.intent_id, 'provider_cents', resolved.provider_cents, 'our_cents', resolved.our_cents, 'note', p_note));
end $$;

create or replace function audit_card_transactions()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every card transaction is its amount less its fee', count(*), count(*) filter (where net_cents <> cents - fee_cents)
    from card_transactions
$$;
