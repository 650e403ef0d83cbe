-- Audits the ledger. Functions named audit_* return rows of (name, checked, wrong); wrong is 0 when the books balance. Each
-- domain that stores coins has one beside its use cases, and the audit runs them all in one snapshot.
create or replace function audit_ledger()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with moved as (
    select account, sum(amount)::bigint as total
      from (select credit as account, amount from ledger_transfers
            union all
            select debit, -amount from ledger_transfers) as sides
     group by account
  ),
  totals as (
    select accounts.id, accounts.kind, accounts.balance, accounts.debt, coalesce(moved.total, 0) as total
      from ledger_accounts as accounts left join moved on moved.account = accounts.id
  )
  select 'every balance is the sum of its transfers', count(*), count(*) filter (where balance <> total)
    from totals where kind in ('user', 'escrow', 'hold')
  union all
  select 'the sum over all accounts is zero', count(*), abs(coalesce(sum(case when kind in ('user', 'escrow', 'hold') then balance else total end), 0))::bigint
    from totals
  union all
  select 'no balance is below zero', count(*), count(*) filter (where balance < 0) from totals
  union all
  select 'every debt is the coins owed less the coins paid', count(*), count(*) filter (where debt <> owed - paid)
    from (
      select totals.debt,
        coalesce((select sum(amount) from ledger_debts where account = totals.id), 0) as owed,
        coalesce((select sum(amount) from ledger_transfers where debit = totals.id and kind = 'debt_paid'), 0) as paid
      from totals where totals.kind = 'user' and (totals.debt > 0 or totals.id in (select account from ledger_debts))
    ) as debts
$$;

-- Returns where the coins are, by name, for the audit and the Admin's screen.
create or replace function ledger_totals()
returns table (name text, coins bigint) language sql stable as $$
  select 'with people', coalesce(sum(balance), 0)::bigint from ledger_accounts where kind = 'user'
  union all select 'in escrow', coalesce(sum(balance), 0)::bigint from ledger_accounts where kind = 'escrow'
  union all select 'on hold', coalesce(sum(balance), 0)::bigint from ledger_accounts where kind = 'hold'
  union all select 'owed by people', coalesce(sum(debt), 0)::bigint from ledger_accounts where kind = 'user'
  union all select 'given as bonus', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind = 'sign_up_bonus'
  union all select 'swept to the house', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind in ('swept_to_platform', 'task_fee')
  union all select 'bought by card', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind = 'coins_bought'
  union all select 'taken back by card', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind in ('card_reversed', 'debt_paid')
  union all select 'paid out', coalesce(sum(amount), 0)::bigint from ledger_transfers where kind = 'withdrawal_paid'
  union all select 'transfers', count(*) from ledger_transfers
  union all select 'accounts', count(*) from ledger_accounts
$$;
