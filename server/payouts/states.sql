-- The triggers below reject other changes of state, and changes of what a payout never changes. contract/payout-states.ts has the
-- causes of the changes.

-- Returns the allowed changes of a payout's state.
create or replace function payout_transitions()
returns table (before payout_state, after payout_state) language sql immutable as $$
  values
    ('queued'::payout_state, 'sent'::payout_state), ('queued', 'removed'),
    ('sent', 'confirmed'), ('sent', 'failed'), ('sent', 'unknown'),
    ('unknown', 'confirmed'), ('unknown', 'failed')
$$;

create or replace function payout_batch_transitions()
returns table (before payout_batch_state, after payout_batch_state) language sql immutable as $$
  values
    ('draft'::payout_batch_state, 'checked'::payout_batch_state), ('draft', 'released'), ('draft', 'cancelled'),
    ('checked', 'released'), ('checked', 'cancelled'),
    ('released', 'exported'), ('released', 'settling'), ('released', 'reconciled'),
    ('exported', 'settling'), ('exported', 'reconciled'),
    ('settling', 'reconciled')
$$;

create or replace function guard_payout() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and not exists (
    select from payout_transitions() as allowed where allowed.before = old.state and allowed.after = new.state) then
    raise exception 'a payout cannot change from % to %', old.state, new.state;
  elsif (old.id, old.batch_id, old.withdrawal_id, old.attempt, old.reference, old.payment_system, old.account_number,
         old.holder_name, old.bank_name, old.branch, old.routing_number, old.coins, old.cents)
     is distinct from (new.id, new.batch_id, new.withdrawal_id, new.attempt, new.reference, new.payment_system,
         new.account_number, new.holder_name, new.bank_name, new.branch, new.routing_number, new.coins, new.cents) then
    raise exception 'the destination and the amount of a payout never change';
  end if;
  return new;
end $$;
create or replace trigger payouts_guard before update on payouts for each row execute function guard_payout();

create or replace function guard_payout_batch() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_batch_transitions() as allowed where allowed.before = old.state and allowed.after = new.state) then
    raise exception 'a payout batch cannot change from % to %', old.state, new.state;
  end if;
  return new;
end $$;
create or replace trigger payout_batches_guard before update of state on payout_batches
  for each row when (old.state is distinct from new.state) execute function guard_payout_batch();

-- Rejects payouts and payout batches that do not begin at their first state. `reject_change` rejects their deletion.
create or replace function guard_new_payout() returns trigger language plpgsql as $$
begin
  if new.state::text not in ('queued', 'draft') then
    raise exception 'a new row of % cannot be %', tg_table_name, new.state;
  end if;
  return new;
end $$;
create or replace trigger payouts_guard_new before insert on payouts for each row execute function guard_new_payout();
create or replace trigger payout_batches_guard_new before insert on payout_batches
  for each row execute function guard_new_payout();
create or replace trigger payouts_kept before delete on payouts for each row execute function reject_change();
create or replace trigger payout_batches_kept before delete on payout_batches for each row execute function reject_change();

-- Rejects the approval of a withdrawal without a confirmed payout of its coins.
create or replace function require_confirmed_payout() returns trigger language plpgsql as $$
begin
  if not exists (select from payouts where withdrawal_id = new.id and state = 'confirmed'
                    and coins = new.coins and cents = new.amount_cents) then
    raise exception 'withdrawal % has no confirmed payout', new.id;
  end if;
  return new;
end $$;
create or replace trigger withdrawals_require_payout before update of status on withdrawals
  for each row when (new.status = 'approved' and old.status is distinct from new.status)
  execute function require_confirmed_payout();
