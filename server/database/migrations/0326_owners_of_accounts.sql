-- Each account carries whose it is: the key by which accounts would be distributed over machines (docs/decisions/0111-ready-to-be-distributed.md).
-- The next migration adds the owners of the accounts that are there. Those that older instances open meanwhile have none.
-- Locks: ledger_accounts exclusively, for the moment in which a column is added and a trigger is replaced.
alter table ledger_accounts add column owner_id uuid;

-- server/ledger/transfer.sql has it from now on: an owner is set once, and coins do not move by it.
drop trigger if exists ledger_accounts_guard on ledger_accounts;
create or replace function guard_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance = 0 and new.debt = 0 then
      return new;
    end if;
  elsif tg_op = 'UPDATE' and new.id = old.id and new.kind = old.kind then
    if new.owner_id is not distinct from old.owner_id then
      if pg_trigger_depth() > 1 then
        return new;
      end if;
    elsif old.owner_id is null and new.balance = old.balance and new.debt = old.debt then
      return new;
    end if;
  end if;
  raise exception 'only a transfer changes an account';
end $$;
create trigger ledger_accounts_guard before insert or update or delete on ledger_accounts
  for each row execute function guard_account();
