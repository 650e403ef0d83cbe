-- The rules of an account's row in one function, as 0311 does for tasks (docs/decisions/0109-row-rules.md).
-- Locks: ledger_accounts exclusively for a moment. Rows are not read. The end of the upgrade validates the constraint, while users write.
create function is_valid_account(p_kind account_kind, p_balance bigint, p_debt bigint)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_balance >= 0
     and p_debt >= 0
     -- Platform accounts keep no balance, and only users have debts.
     and (p_balance = 0 or p_kind in ('user', 'escrow', 'hold'))
     and (p_debt = 0 or p_kind = 'user');
end $$;

alter table ledger_accounts
  drop constraint ledger_accounts_debt,
  drop constraint ledger_accounts_not_overdrawn,
  drop constraint ledger_accounts_platform_keeps_no_total,
  add constraint ledger_accounts_valid check (is_valid_account(kind, balance, debt)) not valid;
