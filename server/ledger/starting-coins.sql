-- Returns the starting coins on a user's account that cannot be spent or withdrawn yet, because the user's unreversed card
-- payments are below the configured amount (docs/specification/coins.md#starting-coins). Other coins are spent first. Starting
-- coins that were spent while they were spendable do not count: the lowest balance after a spending transfer is the maximum.
-- Coins that returned from the user's own escrow or hold were not spent: a return takes back what was moved there last. With
-- `p_before`, returns the value before this transfer.
create or replace function locked_starting_coins(p_account bigint, p_before bigint default null) returns bigint language plpgsql stable as $$
declare
  purchase_cents bigint := operator_setting('sign_up_coins') ->> 'purchaseCents';
  holder uuid;
  given bigint;
  lowest bigint;
begin
  if purchase_cents is null then
    return 0;
  end if;
  select users.id, bonus.amount into holder, given
    from users join transfer_keys as keys on keys.kind = 'sign_up_bonus' and keys.ref = users.id
    join ledger_transfers as bonus on bonus.id = keys.transfer_id
   where users.account_id = p_account;
  if not found or (select coalesce(sum(amount_cents - reversed_cents), 0) from payments where user_id = holder) >= purchase_cents then
    return 0;
  end if;
  with movements as (
    select id, debit as partner, amount as coins, returns_coins(kind) as is_own
      from ledger_transfers where credit = p_account and id < coalesce(p_before, id + 1)
    union all
    select id, credit, -amount, is_spending(kind)
      from ledger_transfers where debit = p_account and id < coalesce(p_before, id + 1)
  ),
  totals as (
    select *, sum(coins) over (partition by is_own, partner order by id) as total from movements
  ),
  -- The movements without the coins that returned.
  lasting as (
    select id, is_own,
           case when is_own then least(0, coins - total + max(total) over (partition by is_own, partner order by id desc))
                else coins end as coins
      from totals
  ),
  balances as (
    select sum(coins) over (order by id) as balance, is_own and coins < 0 as is_spent from lasting
  )
  select min(balance) into lowest from balances where is_spent;
  return least(given, coalesce(lowest, given));
end $$;

-- Refuses a transfer that spends starting coins before they may be. It runs before the transfer changes the balance, and locks the
-- account, so that concurrent ones wait for each other.
create or replace function refuse_locked_coins() returns trigger language plpgsql as $$
declare
  purchase_cents bigint;
  given bigint;
  left_over bigint;
  locked bigint;
begin
  if not is_spending(new.kind) then
    return null;
  end if;
  purchase_cents := operator_setting('sign_up_coins') ->> 'purchaseCents';
  if purchase_cents is null then
    return null;
  end if;
  select balance - new.amount into left_over from ledger_accounts where id = new.debit and kind = 'user' for no key update;
  if left_over < 0 then
    return null; -- refused when the balance changes
  end if;
  select bonus.amount into given
    from users join transfer_keys as keys on keys.kind = 'sign_up_bonus' and keys.ref = users.id
    join ledger_transfers as bonus on bonus.id = keys.transfer_id
   where users.account_id = new.debit;
  if left_over >= given or given is null then
    return null;
  end if;
  locked := locked_starting_coins(new.debit, new.id);
  if left_over < locked then
    perform refuse('insufficient_coins.sign_up_coins', jsonb_build_object(
      'cents', purchase_cents, 'coins', greatest(0, left_over + new.amount - locked)));
  end if;
  return null;
end $$;
create or replace trigger ledger_transfers_sign_up_coins after insert on ledger_transfers
  for each row execute function refuse_locked_coins();
