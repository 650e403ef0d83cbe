-- Return the marketplace's own accounts: the sources of starting coins and of card purchases, and the destination of payouts.
create or replace function platform_account() returns bigint language sql immutable as 'select 1::bigint';
create or replace function card_clearing_account() returns bigint language sql immutable as 'select 2::bigint';
create or replace function paid_out_account() returns bigint language sql immutable as 'select 3::bigint';

-- Opens an account for its owner: the user of a balance, the task of an escrow, the worker of a hold. Returns its id.
create or replace function open_account(p_kind account_kind, p_owner uuid) returns bigint language sql as $$
  insert into ledger_accounts (kind, owner_id) values (p_kind, p_owner) returning id
$$;

-- Returns whether a user moves their own coins by transfers of this kind. It compares text, because PostgreSQL does not accept
-- a value of an enum in the transaction that adds it.
create or replace function is_spending(p_kind transfer_kind) returns boolean language sql stable as $$
  select p_kind::text in ('task_funded', 'task_topped_up', 'task_reopened', 'slot_reopened', 'reversal_funded', 'task_fee',
                          'bonus_paid', 'withdrawal_held')
$$;

-- Returns whether a user's own escrow or hold returns coins to them by transfers of this kind.
create or replace function returns_coins(p_kind transfer_kind) returns boolean language sql stable as $$
  select p_kind::text in ('task_refunded', 'slot_refunded', 'withdrawal_released')
$$;

-- Moves coins from one account to another, once per kind and reference. Returns false for a repetition and raises when
-- it differs from the first. This is the only code that moves coins; the triggers below reject every other way.
-- Lock order: the debited account first. Escrows and holds pay users, so an escrow is locked before a user's account.
-- A spender's account is locked before the transfer gets its id, so that the credits that pay for it have lower ids: where coins
-- came from is derived from this order.
create or replace function transfer(p_kind transfer_kind, p_ref uuid, p_debit bigint, p_credit bigint, p_amount bigint)
returns boolean language plpgsql as $$
declare
  existing ledger_transfers;
begin
  if is_spending(p_kind) then
    perform from ledger_accounts where id = p_debit for no key update;
  end if;
  insert into ledger_transfers (kind, ref, debit, credit, amount)
  values (p_kind, p_ref, p_debit, p_credit, p_amount)
  -- Without the name of a constraint, whose indexes PostgreSQL would look up in each partition.
  on conflict do nothing;
  if found then
    return true;
  end if;

  select transfers.* into strict existing
    from transfer_keys as keys join ledger_transfers as transfers on transfers.id = keys.transfer_id
   where keys.kind = p_kind and keys.ref = p_ref;
  if (existing.debit, existing.credit, existing.amount) is distinct from (p_debit, p_credit, p_amount) then
    raise exception 'transfer % % is already booked with other values', p_kind, p_ref;
  end if;
  return false;
end $$;

-- Makes many transfers of one kind. None of them may exist yet. Locks the debited accounts in the order of their ids, then the
-- credited ones in theirs. Coins that users spend are moved one by one, because starting coins are checked for each transfer.
create or replace function transfer_all(p_kind transfer_kind, p_refs uuid[], p_debits bigint[], p_credits bigint[], p_amounts bigint[])
returns void language plpgsql as $$
declare
  inserted bigint;
begin
  if is_spending(p_kind) then
    raise exception '% transfers must be made one at a time', p_kind;
  end if;
  perform from ledger_accounts where id = any (p_debits) order by id for no key update;
  perform from ledger_accounts where id = any (p_credits) order by id for no key update;
  insert into ledger_transfers (kind, ref, debit, credit, amount)
  select p_kind, ref, debit, credit, amount
    from unnest(p_refs, p_debits, p_credits, p_amounts) as moved (ref, debit, credit, amount) order by credit, ref;
  get diagnostics inserted = row_count;
  -- The primary key rejects a repetition in one partition; one of a transfer in another partition is skipped.
  if inserted <> cardinality(p_refs) then
    raise unique_violation using message = format('one of these %s transfers is already booked', p_kind);
  end if;
end $$;

-- Moves coins from a user into an escrow that others may be paid from at the same time. Locks the escrow first, which is
-- the order of payments from it.
create or replace function fund_escrow(p_kind transfer_kind, p_ref uuid, p_user bigint, p_escrow bigint, p_amount bigint)
returns boolean language plpgsql as $$
begin
  perform from ledger_accounts where id = p_escrow for no key update;
  return transfer(p_kind, p_ref, p_user, p_escrow, p_amount);
end $$;

-- Pays the debt of an account from coins that it was credited: coins that the card provider took back after they were spent are
-- paid from the next coins.
create or replace function pay_debt(p_account bigint, p_coins bigint) returns void language plpgsql as $$
declare
  paid bigint;
begin
  select least(debt, p_coins) into paid from ledger_accounts where id = p_account;
  if paid > 0 then
    update ledger_accounts set debt = debt - paid where id = p_account;
    perform transfer('debt_paid', gen_random_uuid(), p_account, card_clearing_account(), paid);
  end if;
end $$;

-- Changes the balances when transfers are inserted, so that a balance is always the sum of its transfers. Many transfers of one
-- statement change each balance once, by their sum: a row that changes n times in a transaction costs n² steps.
create or replace function apply_transfer() returns trigger language plpgsql as $$
declare
  number bigint;
  single ledger_transfers;
  each ledger_transfers;
  owed bigint;
  accounts bigint[];
  sums bigint[];
  changed bigint;
begin
  select count(*), min(kind), min(debit), min(credit), min(amount)
    into number, single.kind, single.debit, single.credit, single.amount from inserted;

  if number = 1 then
    update ledger_accounts set balance = balance - single.amount
     where id = single.debit and kind in ('user', 'escrow', 'hold') and balance >= single.amount;
    if not found and single.debit not in (platform_account(), card_clearing_account(), paid_out_account()) then
      perform refuse('insufficient_coins');
    end if;

    update ledger_accounts set balance = balance + single.amount
     where id = single.credit and kind in ('user', 'escrow', 'hold')
     returning debt into owed;
    if owed > 0 and single.kind <> 'debt_paid' then
      perform pay_debt(single.credit, single.amount);
    end if;
  elsif number > 1 then
    -- Arrays, because PostgreSQL would read all accounts of a small marketplace for a statement's sums.
    select array_agg(debit), array_agg(amount) into accounts, sums from (
      select debit, sum(amount)::bigint as amount from inserted
       where debit not in (platform_account(), card_clearing_account(), paid_out_account()) group by debit) as spent;
    update ledger_accounts set balance = balance - spent.amount
      from unnest(accounts, sums) as spent (account, amount)
     where id = spent.account and kind in ('user', 'escrow', 'hold') and balance >= spent.amount;
    get diagnostics changed = row_count;
    if changed <> coalesce(cardinality(accounts), 0) then
      perform refuse('insufficient_coins');
    end if;

    select array_agg(credit), array_agg(amount) into accounts, sums from (
      select credit, sum(amount)::bigint as amount from inserted group by credit) as earned;
    with credited as (
      update ledger_accounts set balance = balance + earned.amount
        from unnest(accounts, sums) as earned (account, amount)
       where id = earned.account and kind in ('user', 'escrow', 'hold')
      returning debt)
    select coalesce(max(debt), 0) into owed from credited;
    if owed = 0 then
      return null;
    end if;
    for each in
      select inserted.* from inserted join ledger_accounts as owing on owing.id = inserted.credit
       where owing.debt > 0 and inserted.kind <> 'debt_paid' order by inserted.id
    loop
      perform pay_debt(each.credit, each.amount);
    end loop;
  end if;
  return null;
end $$;
create or replace trigger ledger_transfers_apply after insert on ledger_transfers
  referencing new table as inserted for each statement execute function apply_transfer();

create or replace trigger ledger_transfers_immutable before update or delete on ledger_transfers
  for each row execute function reject_change();
create or replace trigger ledger_transfers_no_truncate before truncate on ledger_transfers
  for each statement execute function reject_change();
create or replace trigger ledger_debts_immutable before update or delete on ledger_debts
  for each row execute function reject_change();
create or replace trigger ledger_debts_no_truncate before truncate on ledger_debts
  for each statement execute function reject_change();

-- Rejects changes of balances and debts from outside the triggers of the ledger's tables, and of an owner.
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
create or replace trigger ledger_accounts_guard before insert or update or delete on ledger_accounts
  for each row execute function guard_account();
create or replace trigger ledger_accounts_no_truncate before truncate on ledger_accounts
  for each statement execute function reject_change();
