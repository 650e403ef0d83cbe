-- Returns the account as a withdrawal request stores it and an Admin reads it. A bank account needs its bank and holder.
create or replace function destination_account(p_destination payout_destinations) returns text language sql stable as $$
  select case when p_destination.payment_system = 'Bank'
              then bank_account(p_destination.bank_name, p_destination.branch, p_destination.holder_name,
                                p_destination.account_number, p_destination.routing_number)
              else p_destination.account_number end
$$;

-- Returns a bank account as one text, as a withdrawal request stores it.
create or replace function bank_account(p_bank text, p_branch text, p_holder text, p_number text, p_routing text)
returns text language sql immutable as $$
  select concat_ws(', ', p_bank, nullif(p_branch, ''), p_holder, p_number, 'routing ' || p_routing)
$$;

-- Returns whether a user was ever paid out to this account.
create or replace function was_paid_to(p_user uuid, p_system payment_system, p_account text)
returns boolean language sql stable as $$
  select exists (select from withdrawals
                  where worker_id = p_user and status = 'approved' and payment_system = p_system and account_number = p_account)
$$;

-- Saves a payout destination of a user, or changes one by replacing it (docs/specification/destinations.md). It can be
-- used after the waiting time `p_wait`; an account that the user was paid out to before is verified and can be used at
-- once. Returns the destination's id: `p_id`, or that of a live destination which is the same already.
-- Locks the user, so that concurrent changes and withdrawal requests happen before or after this transaction.
create or replace function save_destination(
  p_id uuid, p_user uuid, p_replaces uuid, p_system payment_system, p_number text, p_holder text, p_bank text,
  p_branch text, p_routing text, p_wait interval, p_changes_per_day int)
returns uuid language plpgsql as $$
declare
  earlier payout_destinations;
  same payout_destinations;
  saved payout_destinations;
  free_slot smallint;
begin
  perform lock_user_in_role(p_user, 'Worker');
  if p_replaces is not null then
    select * into earlier from payout_destinations where id = p_replaces and user_id = p_user and state <> 'removed';
    if not found then
      perform refuse('destination_not_found');
    end if;
  end if;

  select * into same from payout_destinations
   where user_id = p_user and state <> 'removed' and payment_system = p_system and account_number = p_number
     and routing_number = p_routing;
  if found and (same.holder_name, same.bank_name, same.branch) = (p_holder, p_bank, p_branch)
     and (p_replaces is null or p_replaces = same.id) then
    return same.id;
  elsif found and p_replaces is distinct from same.id then
    perform refuse('state_conflict.destination_exists');
  end if;

  if (select count(*) from payout_destinations where user_id = p_user and created_at > clock_time() - interval '1 day')
     >= p_changes_per_day then
    perform refuse('state_conflict.destination_changes', jsonb_build_object('changes', p_changes_per_day));
  end if;
  if p_replaces is null then
    select min(number) into free_slot from generate_series(1, 5) as number
     where not exists (select from payout_destinations where user_id = p_user and state <> 'removed' and slot = number);
    if free_slot is null then
      perform refuse('state_conflict.destinations');
    end if;
  else
    free_slot := earlier.slot;
    update payout_destinations set state = 'removed', removed_at = clock_time() where id = p_replaces;
  end if;

  insert into payout_destinations (id, user_id, slot, payment_system, account_number, holder_name, bank_name, branch,
                                   routing_number, usable_at, replaces)
  values (p_id, p_user, free_slot, p_system, p_number, p_holder, p_bank, p_branch, p_routing, clock_time() + p_wait,
          p_replaces)
  returning * into saved;
  if was_paid_to(p_user, p_system, destination_account(saved)) then
    update payout_destinations set state = 'verified', verified_at = clock_time(), usable_at = clock_time() where id = p_id;
  end if;
  return p_id;
end $$;
