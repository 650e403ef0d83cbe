-- The outcomes of a payout. These functions are the only ones that end one; statements, providers and Admins call them:
--
--   confirm_payout(payout, source, admin, transaction_id, fee_poisha, logs) returns int   1, or 0 for a repetition
--   fail_payout(payout, source, admin, failure, return_coins, logs) returns int           1, or 0 for a repetition
--   mark_payout_unknown(payout, source, admin, failure, logs) returns int                 1, or 0 for a repetition
--
-- `source` is 'admin', 'statement', 'provider' or 'stop' (it was not sent, or was stopped after its file was made); `admin` is null
-- when no Admin is involved. Lock order: the worker of what an Admin confirms, withdrawals by id, the batch, payouts by withdrawal,
-- holds, accounts, the audit log. Transactions that settle several payouts process them in the order of withdrawal_id, with `logs`
-- false, and after the last one update the open pages (enqueue_payout_change) and log each outcome (log_payout_outcome).

-- Refuses an outcome reported by a user who is no longer an Admin, or about the reporter's own withdrawal.
create or replace function refuse_reporter(p_payout uuid, p_source payout_source, p_admin uuid) returns void language plpgsql as $$
begin
  if p_source = 'admin' then
    perform require_admin(p_admin);
  end if;
  if exists (select from payouts join withdrawals on withdrawals.id = payouts.withdrawal_id
              where payouts.id = p_payout and withdrawals.worker_id = p_admin) then
    perform refuse('yourself.withdrawal');
  end if;
end $$;

-- Locks the worker of a payout, so that a concurrent freeze happens before or after this transaction. Call it before lock_payout.
create or replace function lock_payout_worker(p_payout uuid) returns void language plpgsql as $$
begin
  perform users.id from payouts join withdrawals on withdrawals.id = payouts.withdrawal_id
     join users on users.id = withdrawals.worker_id where payouts.id = p_payout for share of users;
end $$;

-- Locks a payout with its withdrawal and its batch.
create or replace function lock_payout(p_payout uuid) returns payouts language plpgsql as $$
declare
  payout payouts;
begin
  select * into payout from payouts where id = p_payout;
  if not found then
    perform refuse('payout_not_found');
  end if;
  perform from withdrawals where id = payout.withdrawal_id for no key update;
  perform from payout_batches where id = payout.batch_id for no key update;
  select * into strict payout from payouts where id = p_payout for no key update;
  return payout;
end $$;

-- Updates the state of a payout batch after an outcome: `settling`, then `reconciled` when no payout waits for an outcome. A
-- payout that was stopped was never sent: the others can still be exported. The caller holds the row lock of the batch.
create or replace function settle_payout_batch(p_batch uuid) returns void language plpgsql as $$
begin
  if exists (select from payouts where batch_id = p_batch and state in ('queued', 'sent', 'unknown')) then
    update payout_batches set state = 'settling', settling_at = clock_time()
     where id = p_batch and state in ('released', 'exported')
       and exists (select from payouts where batch_id = p_batch and state in ('confirmed', 'failed', 'unknown')
                      and source is distinct from 'stop');
  else
    update payout_batches set state = 'reconciled', reconciled_at = clock_time()
     where id = p_batch and state in ('released', 'exported', 'settling');
  end if;
end $$;

-- Refuses the outcome of a payout that did not go out, has another outcome, or whose outcome an Admin cannot know: it is
-- unknown, or a provider makes the payment.
create or replace function refuse_outcome(p_payout payouts, p_source payout_source) returns void language plpgsql as $$
begin
  if p_source = 'admin' and (p_payout.state = 'unknown' or (p_payout.state = 'sent'
       and (select provider is not null from payout_batches where id = p_payout.batch_id))) then
    perform refuse('payout_under_way.unknown');
  elsif p_payout.state not in ('sent', 'unknown') then
    perform refuse('state_conflict.payout', jsonb_build_object('state', p_payout.state));
  end if;
end $$;

-- Refuses to confirm by an Admin's word a payout that was stopped after its file was made
-- (docs/decisions/0082-stopped-after-the-file.md). In a payout batch that is paid by hand it may have been paid before.
create or replace function refuse_stopped_confirmation(p_payout payouts) returns void language plpgsql as $$
begin
  if (select exported_at is not null from payout_batches where id = p_payout.batch_id) and is_payout_stopped(p_payout.withdrawal_id) then
    perform refuse('payout_under_way.stopped');
  end if;
end $$;

-- Refuses the Admin who confirms what was confirmed without them: they would believe that they were the one to pay.
create or replace function refuse_settled_by_other(p_payout payouts, p_source payout_source, p_admin uuid) returns void language plpgsql as $$
begin
  if p_source = 'admin' and p_payout.settled_by is distinct from p_admin then
    perform refuse('already_decided.paid', jsonb_build_object('admin', (select name from users where id = p_payout.settled_by)));
  end if;
end $$;

-- Confirms that a payout arrived: its withdrawal is approved and the coins leave the hold. A repetition adds a missing
-- transaction id or fee; another transaction id is refused, and so is another Admin.
create or replace function confirm_payout(
  p_payout uuid, p_source payout_source, p_admin uuid default null, p_transaction_id text default '', p_fee_poisha bigint default null,
  p_logs boolean default true)
returns int language plpgsql as $$
declare
  payout payouts;
begin
  perform refuse_reporter(p_payout, p_source, p_admin);
  if p_source = 'admin' then
    perform lock_payout_worker(p_payout);
  end if;
  payout := lock_payout(p_payout);
  if payout.state = 'confirmed' then
    perform refuse_settled_by_other(payout, p_source, p_admin);
    if payout.transaction_id not in ('', p_transaction_id) and p_transaction_id <> '' then
      perform refuse('already_decided.payout_transaction', jsonb_build_object('transaction', payout.transaction_id));
    end if;
    update payouts set transaction_id = case when transaction_id = '' then p_transaction_id else transaction_id end,
                       fee_poisha = coalesce(fee_poisha, p_fee_poisha)
     where id = p_payout and (p_transaction_id <> '' and transaction_id = '' or fee_poisha is null and p_fee_poisha is not null);
    -- A statement logs its import.
    if found and p_source = 'admin' then
      perform enqueue_payout_change(p_admin);
      perform log_admin_action(p_admin, 'payout_transaction_added', payout.withdrawal_id,
        jsonb_build_object('reference', payout.reference, 'transaction', p_transaction_id));
    end if;
    return 0;
  end if;
  perform refuse_outcome(payout, p_source);
  if p_source = 'admin' then
    perform refuse_stopped_confirmation(payout);
  end if;
  update payouts set state = 'confirmed', transaction_id = p_transaction_id, fee_poisha = p_fee_poisha, failure = '', source = p_source,
                     settled_by = p_admin, settled_at = clock_time()
   where id = p_payout;
  perform settle_payout_batch(payout.batch_id);
  perform pay_out_withdrawal(payout.withdrawal_id, p_admin);
  if p_logs then
    perform enqueue_payout_change(p_admin);
    perform log_payout_outcome(p_payout, p_admin);
  end if;
  return 1;
end $$;

-- Records that a payout did not arrive. Its coins go back to the worker with the reason, or stay on hold for another
-- attempt; those of a deleted worker always go back. An Admin who wanted the other of the two is refused.
create or replace function fail_payout(
  p_payout uuid, p_source payout_source, p_admin uuid, p_failure text, p_return_coins boolean, p_logs boolean default true)
returns int language plpgsql as $$
declare
  payout payouts;
  is_deleted boolean;
  request_status withdrawal_status;
begin
  perform refuse_reporter(p_payout, p_source, p_admin);
  payout := lock_payout(p_payout);
  if payout.state = 'failed' then
    select status into strict request_status from withdrawals where id = payout.withdrawal_id;
    if p_source = 'admin' and (payout.settled_by is distinct from p_admin
         or case when p_return_coins then request_status in ('pending', 'approved') else request_status = 'declined' end) then
      perform refuse('state_conflict.payout', jsonb_build_object('state', payout.state));
    end if;
    return 0;
  end if;
  -- What was not submitted to its provider never is after this: submit_payout takes only what is sent.
  if payout.state <> 'sent' or payout.submitted_at is not null then
    perform refuse_outcome(payout, p_source);
  end if;
  update payouts set state = 'failed', failure = p_failure, source = p_source, settled_by = p_admin, settled_at = clock_time()
   where id = p_payout;
  perform settle_payout_batch(payout.batch_id);
  select users.deleted_at is not null into strict is_deleted
    from withdrawals join users on users.id = withdrawals.worker_id where withdrawals.id = payout.withdrawal_id;
  if is_deleted then
    perform return_withdrawal(payout.withdrawal_id, 'cancelled', '', null);
  elsif p_return_coins then
    perform return_withdrawal(payout.withdrawal_id, 'declined', p_failure, p_admin);
  end if;
  if p_logs then
    perform enqueue_payout_change(p_admin);
    perform log_payout_outcome(p_payout, p_admin);
  end if;
  return 1;
end $$;

-- Records that nobody knows whether a payout arrived. Only a statement line or the provider ends this state.
create or replace function mark_payout_unknown(
  p_payout uuid, p_source payout_source, p_admin uuid, p_failure text, p_logs boolean default true)
returns int language plpgsql as $$
declare
  payout payouts;
begin
  perform refuse_reporter(p_payout, p_source, p_admin);
  payout := lock_payout(p_payout);
  if payout.state = 'unknown' then
    return 0;
  end if;
  -- Before a provider is called, an unknown payout would neither be sent nor queried.
  perform refuse_outcome(payout, p_source);
  update payouts set state = 'unknown', failure = p_failure where id = p_payout;
  perform settle_payout_batch(payout.batch_id);
  if p_logs then
    perform enqueue_payout_change(p_admin);
    perform log_payout_outcome(p_payout, p_admin);
  end if;
  return 1;
end $$;

-- Writes the outcome of a payout to the audit log, as it is stored; null is no Admin, and logs nothing.
create or replace function log_payout_outcome(p_payout uuid, p_admin uuid) returns void language plpgsql as $$
declare
  payout payouts;
begin
  select * into strict payout from payouts where id = p_payout;
  if p_admin is null then
    return;
  elsif payout.state = 'confirmed' then
    perform log_admin_action(p_admin, 'withdrawal_approved', payout.withdrawal_id,
      jsonb_build_object('coins', payout.coins, 'amount_cents', payout.cents, 'reference', payout.reference,
        'account', payout.account_number, 'transaction', payout.transaction_id, 'source', payout.source));
  elsif payout.state = 'failed' then
    perform log_admin_action(p_admin, 'payout_failed', payout.withdrawal_id,
      jsonb_build_object('coins', payout.coins, 'amount_cents', payout.cents, 'reference', payout.reference, 'reason', payout.failure,
        'coins_returned', (select status <> 'pending' from withdrawals where id = payout.withdrawal_id), 'source', payout.source));
  else
    perform log_admin_action(p_admin, 'payout_unknown', payout.withdrawal_id,
      jsonb_build_object('reference', payout.reference, 'reason', payout.failure));
  end if;
end $$;
