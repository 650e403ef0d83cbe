-- Takes the coins of a reversed card payment from an account; coins that it does not have become a debt, which later
-- coins pay first (docs/specification/payments.md). Once per reference. Returns the coins taken and the coins owed.
create or replace function reverse_purchase(p_ref uuid, p_account bigint, p_coins bigint)
returns table (taken bigint, owed bigint) language plpgsql as $$
declare
  available bigint;
begin
  select balance into strict available from ledger_accounts where id = p_account for no key update;
  if exists (select from transfer_keys where kind = 'card_reversed' and ref = p_ref)
     or exists (select from ledger_debts where ref = p_ref) then
    return query select 0::bigint, 0::bigint;
    return;
  end if;
  taken := least(available, p_coins);
  owed := p_coins - taken;
  if taken > 0 then
    perform transfer('card_reversed', p_ref, p_account, card_clearing_account(), taken);
  end if;
  if owed > 0 then
    insert into ledger_debts (ref, account, amount) values (p_ref, p_account, owed);
  end if;
  return next;
end $$;

-- Adds the amount of a new row to the debt of its account.
create or replace function apply_debt() returns trigger language plpgsql as $$
begin
  update ledger_accounts set debt = debt + new.amount where id = new.account;
  return null;
end $$;
create or replace trigger ledger_debts_apply after insert on ledger_debts
  for each row execute function apply_debt();
