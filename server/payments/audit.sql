create or replace function audit_payments()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every card payment credited its coins once', count(*),
         count(*) filter (where payments.coins <> coalesce(transfers.amount, 0)
                             or transfers.credit is distinct from case when payments.coins = 0 then null else users.account_id end)
    from payments join users on users.id = payments.user_id
    left join ledger_transfers as transfers on transfers.kind = 'coins_bought' and transfers.ref = payments.id
  union all
  select 'every credited purchase has its payment', count(*),
         count(*) filter (where (purchases.state = 'credited') <> (payments.id is not null)
                             or payments.transaction_id <> purchases.intent_id
                             or payments.amount_cents <> purchases.amount_cents
                             or (payments.id is not null and payments.tax is distinct from purchases.tax))
    from purchases left join payments on payments.id = purchases.id
  union all
  select 'the reversed amount of every payment is the sum of its reversals', count(*),
         count(*) filter (where (payments.reversed_cents, payments.reversed_coins) is distinct from (parts.cents, parts.coins))
    from payments,
         lateral (select coalesce(sum(cents), 0)::bigint as cents, coalesce(sum(coins), 0)::bigint as coins
                    from payment_reversals where payment_id = payments.id) as parts
  union all
  select 'every reversal moved its coins or owes them', count(*), count(*) filter (where payment_reversals.coins <> booked.total)
    from payment_reversals
    left join (select ref, sum(case kind when 'card_reversed' then amount else -amount end) as coins
                 from ledger_transfers where kind in ('card_reversed', 'coins_bought') group by ref) as moved on moved.ref = payment_reversals.id,
         lateral (select coalesce(moved.coins, 0)
                       + coalesce((select amount from ledger_debts where ref = payment_reversals.id), 0) as total) as booked
  union all
  select 'what disputes withhold is part of what was taken back', count(*),
         count(*) filter (where payments.reversed_cents < least(disputes.cents, payments.amount_cents))
    from (select payment_id, sum(withheld_cents) as cents from payment_disputes group by 1) as disputes
    join payments on payments.id = disputes.payment_id
$$;
