create or replace function audit_receipts()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'receipt numbers have no gaps', count(*),
         count(*) filter (where (last_number, last_number) is distinct from (issued.count, issued.max))
    from receipt_series as counters
    cross join lateral (select count(*), coalesce(max(number), 0) as max from receipts where receipts.series = counters.series) as issued
  union all
  select 'every payment has one receipt', count(*),
         count(*) filter (where (receipts.cents, receipts.user_id) is distinct from (payments.amount_cents, payments.user_id))
    from payments left join receipts on receipts.kind = 'purchase' and receipts.ref = payments.id
  union all
  select 'the receipts and credit notes of every payment add up to what was kept of it', count(*),
         count(*) filter (where receipts.cents is distinct from payments.amount_cents - payments.reversed_cents)
    from payments
    left join (select payment_id, sum(case kind when 'purchase' then receipts.cents else -receipts.cents end) as cents
                 from receipts where payment_id is not null group by 1) as receipts on receipts.payment_id = payments.id
  union all
  select 'the receipt of a payment has the tax that was added to it', count(*),
         count(*) filter (where (receipts.tax ->> 'cents')::bigint is distinct from (payments.tax ->> 'cents')::bigint
                             or receipts.tax ->> 'added' is distinct from 'true')
    from payments join receipts on receipts.kind = 'purchase' and receipts.ref = payments.id where payments.tax is not null
  union all
  select 'every approved withdrawal has one receipt, and no other', count(*),
         count(*) filter (where (withdrawals.status = 'approved') is distinct from (receipts.cents is not distinct from withdrawals.amount_cents))
    from withdrawals left join receipts on receipts.kind = 'payout' and receipts.ref = withdrawals.id
$$;
