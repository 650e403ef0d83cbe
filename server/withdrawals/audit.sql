create or replace function audit_withdrawals()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every hold holds the coins of its pending request, and nothing after the decision', count(*),
         count(*) filter (where accounts.kind <> 'hold' or accounts.balance <> case when status = 'pending' then coins else 0 end)
    from withdrawals join ledger_accounts as accounts on accounts.id = withdrawals.hold_id
  union all
  select 'every approved withdrawal was paid out once, and no other', count(*),
         count(*) filter (where case when status = 'approved'
           then (paid.amount, paid.debit, paid.credit) is distinct from (coins, hold_id, paid_out_account()) else paid.ref is not null end)
    from withdrawals left join ledger_transfers as paid on paid.kind = 'withdrawal_paid' and paid.ref = withdrawals.id
  union all
  select 'every withdrawal took its coins from its worker, and returned them there unless it was paid', count(*),
         count(*) filter (where (held.amount, held.debit, held.credit) is distinct from (coins, account_id, hold_id)
           or case when status in ('declined', 'cancelled')
              then (returned.amount, returned.debit, returned.credit) is distinct from (coins, hold_id, account_id)
              else returned.ref is not null end)
    from withdrawals join users as workers on workers.id = withdrawals.worker_id
    left join ledger_transfers as held on held.kind = 'withdrawal_held' and held.ref = withdrawals.id
    left join ledger_transfers as returned on returned.kind = 'withdrawal_released' and returned.ref = withdrawals.id
  union all
  select 'every withdrawal has a rate that the operator set', count(*), count(*) filter (where amount_cents / coins <> all (rates))
    from withdrawals, (select array_agg((value ->> 'centsPerCoin')::bigint) as rates
                         from operator_setting_changes where name = 'withdrawal_rate') as history
  union all
  select 'every hold belongs to one request', count(*), count(*) filter (where withdrawals.id is null or withdrawals.worker_id <> owner_id)
    from ledger_accounts as accounts left join withdrawals on withdrawals.hold_id = accounts.id where accounts.kind = 'hold'
$$;
