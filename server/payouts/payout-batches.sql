-- Payout batches (docs/specification/payouts.md#payout-batches).
-- Lock order: the amounts in parts (at release), the Admin, the workers (at release, export and confirmation), withdrawals by id, the batch, payouts, holds, accounts.

-- Locks a payout batch and the withdrawals of its payouts. Refuses an Admin with a withdrawal of their own in it.
create or replace function lock_payout_batch(p_batch uuid, p_admin uuid) returns payout_batches language plpgsql as $$
declare
  batch payout_batches;
begin
  perform require_admin(p_admin);
  perform from withdrawals where id in (select withdrawal_id from payouts where batch_id = p_batch) order by id for no key update;
  select * into batch from payout_batches where id = p_batch and not single for no key update;
  if not found then
    perform refuse('payout_batch_not_found');
  elsif exists (select from payouts join withdrawals on withdrawals.id = payouts.withdrawal_id
                 where payouts.batch_id = p_batch and payouts.state <> 'removed' and withdrawals.worker_id = p_admin) then
    perform refuse('yourself.withdrawal');
  end if;
  return batch;
end $$;

-- Creates a draft of these requests, all or none, that `p_provider` pays; null is by hand or by a file. Returns the number of payouts.
create or replace function create_payout_batch(p_id uuid, p_withdrawals uuid[], p_admin uuid, p_provider text default null) returns int language plpgsql as $$
declare
  wanted uuid;
  request withdrawals;
  live payouts;
  systems payment_system[] := '{}';
begin
  perform require_admin(p_admin);
  insert into payout_batches (id, created_by, provider) values (p_id, p_admin, p_provider);
  for wanted in select distinct unnest(p_withdrawals) order by 1 loop
    request := lock_payable_withdrawal(wanted, p_admin);
    live := live_payout(wanted);
    if live.id is not null then
      if live.state <> 'queued' or live.claimed_by is distinct from p_admin
         or not (select single from payout_batches where id = live.batch_id) then
        perform refuse_claimed(live);
      end if;
      perform dequeue_payout(live);
    end if;
    perform queue_payout(request, p_id, p_admin);
    systems := array_append(systems, request.payment_system);
  end loop;
  update payout_batches set payment_system = systems[1] where id = p_id and systems[1] = all (systems);
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_batch_created', p_id, payout_batch_totals(p_id));
  return cardinality(systems);
end $$;

-- Returns the number of payouts of a payout batch that are not removed, with their coins and cents.
create or replace function payout_batch_totals(p_batch uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('payouts', count(*), 'coins', coalesce(sum(coins), 0), 'amount_cents', coalesce(sum(cents), 0))
    from payouts where batch_id = p_batch and state <> 'removed'
$$;

-- Refuses a payout batch from which every payout was removed.
create or replace function refuse_empty_payout_batch(p_batch uuid) returns void language plpgsql as $$
begin
  if not exists (select from payouts where batch_id = p_batch and state = 'queued') then
    perform refuse('state_conflict.payout_batch_empty');
  end if;
end $$;

-- Checks a draft, as the first of two Admins. Returns 1, or 0 for a repetition by the same Admin.
create or replace function check_payout_batch(p_batch uuid, p_admin uuid) returns int language plpgsql as $$
declare
  batch payout_batches := lock_payout_batch(p_batch, p_admin);
begin
  if batch.state = 'checked' and batch.checked_by = p_admin then
    return 0;
  elsif batch.state <> 'draft' then
    perform refuse('state_conflict.payout_batch', jsonb_build_object('state', batch.state));
  end if;
  perform refuse_empty_payout_batch(p_batch);
  if payout_batch_needs_second_admin(p_batch) then
    perform refuse_new_admins(array[p_admin]);
  end if;
  update payout_batches set state = 'checked', checked_by = p_admin, checked_at = clock_time() where id = p_batch;
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_batch_checked', p_batch, payout_batch_totals(p_batch));
  return 1;
end $$;

-- Chooses the provider that pays a draft after its release; null is none. The Admin who checks a payout batch sees how it is
-- paid.
create or replace function set_payout_provider(p_batch uuid, p_admin uuid, p_provider text) returns int language plpgsql as $$
declare
  batch payout_batches := lock_payout_batch(p_batch, p_admin);
begin
  if batch.state <> 'draft' then
    perform refuse('state_conflict.payout_batch', jsonb_build_object('state', batch.state));
  elsif batch.provider is not distinct from p_provider then
    return 0;
  end if;
  update payout_batches set provider = p_provider where id = p_batch;
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_provider_chosen', p_batch,
    jsonb_build_object('from', batch.provider, 'to', p_provider));
  return 1;
end $$;

-- Returns whether a payout batch needs two Admins: because of one of its payouts, or of their total.
create or replace function payout_batch_needs_second_admin(p_batch uuid) returns boolean language sql stable as $$
  select coalesce(sum(cents) > (operator_setting('payout_rules') ->> 'twoPersonAboveCents')::bigint, false)
         or coalesce(bool_or(needs_second_admin(withdrawal_id)), false)
    from payouts where batch_id = p_batch and state = 'queued'
$$;

-- Reassesses the requests of a payout batch whose assessment is older than an hour, while scores matter (refresh_risk).
create or replace function refresh_payout_batch_risk(p_batch uuid) returns void language sql as $$
  select refresh_risk(array_agg(withdrawal_id), interval '1 hour') from payouts where batch_id = p_batch and state = 'queued'
$$;

-- Releases a payout batch: from now on its payouts count as sent, and their coins stay on hold until the outcomes are known.
-- Where one Admin is enough, the release also checks a draft. Call refresh_payout_batch_risk before it: assessments take seconds
-- for a large batch, and other payments wait for the lock of the amounts. Those that become too old in between are renewed here.
-- In the transaction of an idempotency key the assessments stay locked until its end; only steps with the same requests need them,
-- and a deadlock with one is retried (server/database/retry.ts).
create or replace function release_payout_batch(p_batch uuid, p_admin uuid) returns int language plpgsql as $$
declare
  batch payout_batches;
  totals jsonb;
begin
  perform lock_amounts_in_parts();
  perform require_admin(p_admin);
  -- Locks the workers before their withdrawals.
  perform refuse_frozen_withdrawal(queued.withdrawal_id)
     from (select payouts.withdrawal_id from payouts join withdrawals on withdrawals.id = payouts.withdrawal_id
            where batch_id = p_batch and state = 'queued' order by worker_id) as queued;
  batch := lock_payout_batch(p_batch, p_admin);
  if batch.released_by = p_admin then
    return 0;
  elsif batch.state not in ('draft', 'checked') then
    perform refuse('state_conflict.payout_batch', jsonb_build_object('state', batch.state));
  end if;
  perform refuse_empty_payout_batch(p_batch);
  perform refresh_payout_batch_risk(p_batch);
  if payout_batch_needs_second_admin(p_batch) then
    if batch.checked_by is null or batch.checked_by = p_admin then
      perform refuse('second_person_required');
    end if;
    perform refuse_new_admins(array[batch.checked_by, p_admin]);
  end if;
  perform refuse_stopped_withdrawal(queued.withdrawal_id, p_admin)
     from (select withdrawal_id from payouts where batch_id = p_batch and state = 'queued' order by withdrawal_id) as queued;
  totals := payout_batch_totals(p_batch);
  update payout_batches
     set state = 'released', released_by = p_admin, released_at = clock_time(),
         checked_by = coalesce(checked_by, p_admin), checked_at = coalesce(checked_at, clock_time()),
         row_count = (totals ->> 'payouts')::int, coins = (totals ->> 'coins')::bigint, cents = (totals ->> 'amount_cents')::bigint
   where id = p_batch;
  perform lock_exchange_rate(p_batch);
  update payouts set state = 'sent', sent_at = clock_time()
   where batch_id = p_batch and state = 'queued';
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_batch_released', p_batch, totals);
  return 1;
end $$;

-- Records that the file of a payout batch was downloaded, with its hash. A released payout batch becomes `exported`.
create or replace function mark_payout_batch_exported(p_batch uuid, p_admin uuid, p_sha256 text) returns int language plpgsql as $$
declare
  batch payout_batches := lock_payout_batch(p_batch, p_admin);
begin
  if batch.state = 'cancelled' then
    perform refuse('state_conflict.payout_batch', jsonb_build_object('state', batch.state));
  end if;
  update payout_batches
     set file_sha256 = p_sha256, exported_at = coalesce(exported_at, clock_time()),
         state = case when state = 'released' then 'exported' else state end
   where id = p_batch;
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_batch_exported', p_batch, payout_batch_totals(p_batch) || jsonb_build_object('sha256', p_sha256));
  return 1;
end $$;

-- Cancels a payout batch before its release and removes its payouts, so that their requests can be paid otherwise. Returns 1, or 0 for
-- a repetition.
create or replace function cancel_payout_batch(p_batch uuid, p_admin uuid) returns int language plpgsql as $$
declare
  batch payout_batches := lock_payout_batch(p_batch, p_admin);
  totals jsonb := payout_batch_totals(p_batch);
begin
  if batch.state = 'cancelled' then
    return 0;
  elsif batch.state not in ('draft', 'checked') then
    perform refuse('state_conflict.payout_batch', jsonb_build_object('state', batch.state));
  end if;
  update payouts set state = 'removed' where batch_id = p_batch and state = 'queued';
  update payout_batches set state = 'cancelled', cancelled_at = clock_time() where id = p_batch;
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_batch_cancelled', p_batch, totals);
  return 1;
end $$;

-- Confirms every payout of a payout batch that was sent, after the Admin paid them; with `p_payouts` only these, so that one
-- whose stop ended since the Admin saw the batch is not confirmed without a payment. Those with an unknown outcome stay. Those
-- that were stopped since the release are not confirmed: where the batch has a file, their outcome is unknown from now on
-- (docs/decisions/0082-stopped-after-the-file.md). Where other Admins have confirmed every one of them, the caller is refused.
create or replace function confirm_payout_batch(p_batch uuid, p_admin uuid, p_transaction_id text, p_payouts uuid[]) returns int language plpgsql as $$
declare
  batch payout_batches := lock_payout_batch_and_workers(p_batch, p_admin);
  payout payouts;
  confirmed int := 0;
  settled uuid[] := '{}';
begin
  if batch.state in ('draft', 'checked', 'cancelled') or batch.provider is not null then
    perform refuse('state_conflict.payout_batch', jsonb_build_object('state', batch.state));
  end if;
  for payout in select * from payouts where batch_id = p_batch and state = 'sent' order by withdrawal_id loop
    if not is_payout_stopped(payout.withdrawal_id) then
      continue when payout.id <> all (p_payouts);
      confirmed := confirmed + confirm_payout(payout.id, 'admin', p_admin, p_transaction_id, p_logs => false);
    elsif batch.exported_at is not null then
      perform mark_payout_unknown(payout.id, 'stop', p_admin, 'Stopped after its file was made', p_logs => false);
    else
      continue;
    end if;
    settled := settled || payout.id;
  end loop;
  if settled = '{}' then
    select * into payout from payouts
     where batch_id = p_batch and state = 'confirmed' and (p_payouts is null or id = any (p_payouts))
     order by settled_by is distinct from p_admin, withdrawal_id limit 1;
    if found then
      perform refuse_settled_by_other(payout, 'admin', p_admin);
    end if;
    return 0;
  end if;
  perform enqueue_payout_change(p_admin);
  perform log_payout_outcome(id, p_admin) from unnest(settled) as id;
  return confirmed;
end $$;

-- Removes a payout from a payout batch that was not released; its request can be paid otherwise.
create or replace function remove_payout(p_payout uuid, p_admin uuid) returns int language plpgsql as $$
declare
  payout payouts;
begin
  perform require_admin(p_admin);
  payout := lock_payout(p_payout);
  if payout.state = 'removed' then
    return 0;
  elsif payout.state <> 'queued' or not exists (
    select from payout_batches where id = payout.batch_id and not single and state in ('draft', 'checked')) then
    perform refuse('state_conflict.payout', jsonb_build_object('state', payout.state));
  end if;
  perform dequeue_payout(payout);
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_removed', payout.withdrawal_id,
    jsonb_build_object('reference', payout.reference, 'batch', payout.batch_id));
  return 1;
end $$;

-- Makes a new attempt of a failed payout whose coins are still on hold, to a corrected account number. The worker is
-- notified of a new number. A bank account keeps its bank, branch, holder and routing number with a new number.
-- Lock order: the Admin, the worker, the withdrawal.
create or replace function retry_payout(p_payout uuid, p_admin uuid, p_account_number text) returns int language plpgsql as $$
declare
  request withdrawals;
  payout payouts;
  live payouts;
  previous text;
  account text := p_account_number;
begin
  perform require_admin(p_admin);
  select * into payout from payouts where id = p_payout;
  if not found then
    perform refuse('payout_not_found');
  end if;
  perform from users where id = (select worker_id from withdrawals where id = payout.withdrawal_id) for no key update;
  request := lock_payable_withdrawal(payout.withdrawal_id, p_admin);
  select * into strict payout from payouts where id = p_payout;
  live := live_payout(request.id);
  if live.id is not null then
    perform refuse_claimed(live);
  elsif payout.state <> 'failed' then
    perform refuse('state_conflict.payout', jsonb_build_object('state', payout.state));
  end if;
  if payout.bank_name <> '' and p_account_number ~ '^\d{8,17}$' then
    account := bank_account(payout.bank_name, payout.branch, payout.holder_name, p_account_number, payout.routing_number);
  end if;
  previous := request.account_number;
  if previous not in (p_account_number, account) then
    perform correct_account_number(request.id, p_account_number, account);
  end if;
  select * into strict request from withdrawals where id = payout.withdrawal_id;
  perform require_claimant(request.id, p_admin);
  perform queue_single_payout(request, p_admin);
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'payout_retried', request.id,
    jsonb_build_object('from', previous, 'to', request.account_number, 'failed', payout.reference));
  return 1;
end $$;
