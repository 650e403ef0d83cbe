-- The events for users' own systems (contract/api-events.ts). Triggers write them to the outbox in the transaction of the
-- change, so that no path to a change forgets its event (docs/decisions/0068-api-events.md). The relay moves them to api_events.

-- Writes an event of a submission for these users.
create or replace function enqueue_submission_event(p_listeners uuid[], p_submission submissions, p_type text, p_data jsonb)
returns void language sql as $$
  select enqueue_api_event(p_listeners, p_type, p_submission.id, jsonb_build_object('submissionId', p_submission.id,
    'taskId', p_submission.task_id, 'taskTitle', (select title from tasks where id = p_submission.task_id),
    'coins', p_submission.reward) || p_data)
$$;

create or replace function enqueue_submission_received() returns trigger language plpgsql as $$
declare
  listeners uuid[];
begin
  -- Most users have neither, and these lookups cost a third of `event_listeners`.
  if not exists (select from webhook_endpoints where user_id = new.buyer_id) and not exists (select from api_keys where user_id = new.buyer_id) then
    return null;
  end if;
  listeners := array(select listener from event_listeners(array[new.buyer_id]) as listener);
  if listeners <> '{}' then
    perform enqueue_submission_event(listeners, new, 'submission.received', '{"revised": false}');
  end if;
  return null;
end $$;
create or replace trigger submissions_received_event after insert on submissions
  for each row execute function enqueue_submission_received();

-- Writes the events of a submission's change of state. The trigger has no condition, which PostgreSQL would parse for every statement.
create or replace function enqueue_submission_change() returns trigger language plpgsql as $$
declare
  is_final boolean := new.status in ('approved', 'rejected');
  listeners uuid[];
begin
  if new.status = old.status
    or not exists (select from webhook_endpoints where user_id in (new.buyer_id, new.worker_id))
      and not exists (select from api_keys where user_id in (new.buyer_id, new.worker_id)) then
    return null;
  end if;
  listeners := array(select listener from event_listeners(array[new.buyer_id, new.worker_id]) as listener);
  if listeners = '{}' then
    return null;
  end if;

  if new.status = 'revision_requested' then
    perform enqueue_submission_event(listeners, new, 'submission.revision_requested', jsonb_build_object('dueAt', iso_time(new.due_at)));
  elsif new.status = 'pending' then
    if exists (select from submission_revisions where submission_id = new.id and revised_at is not null) then
      perform enqueue_submission_event(array_remove(listeners, new.worker_id), new, 'submission.received', '{"revised": true}');
    end if;
  elsif new.status = 'appealed' then
    perform enqueue_submission_event(listeners, new, 'appeal.opened', jsonb_build_object('dueAt', iso_time(new.due_at)));
  elsif is_final or old.status <> 'appealed' then
    perform enqueue_submission_event(listeners, new, 'submission.decided', jsonb_build_object(
      'status', case when new.status = 'approved' then 'approved' else 'rejected' end, 'final', is_final,
      'decidedBy', coalesce(new.decided_by::text, case when old.status = 'in_review' then 'reviewer' else 'buyer' end)));
  end if;

  if new.status = 'approved' and new.decided_by = 'time' then
    perform enqueue_submission_event(listeners, new, 'submission.auto_approved', '{}');
  end if;
  if is_final and old.status in ('appealed', 'in_review') and exists (select from appeals where submission_id = new.id) then
    perform enqueue_submission_event(listeners, new, 'appeal.decided',
      jsonb_build_object('status', new.status, 'decidedBy', new.decided_by));
  end if;
  return null;
end $$;
create or replace trigger submissions_change_event after update of status on submissions
  for each row execute function enqueue_submission_change();

create or replace function enqueue_task_closed() returns trigger language plpgsql as $$
begin
  perform enqueue_api_event(array[new.buyer_id], 'task.closed', new.id, jsonb_build_object('taskId', new.id,
    'taskTitle', new.title, 'coins', old.slots_left * old.reward, 'reason', new.close_reason));
  return null;
end $$;
create or replace trigger tasks_closed_event after update of closed_at on tasks
  for each row when (old.closed_at is null and new.closed_at is not null) execute function enqueue_task_closed();

create or replace function enqueue_payment_credited() returns trigger language plpgsql as $$
begin
  perform enqueue_api_event(array[new.user_id], 'payment.credited', new.id, jsonb_build_object('paymentId', new.id,
    'coins', new.coins, 'cents', new.amount_cents));
  return null;
end $$;
-- A payment of a deleted buyer credits no coins.
create or replace trigger payments_credited_event after insert on payments
  for each row when (new.coins > 0) execute function enqueue_payment_credited();

-- Writes the event of a dispute that begins to withhold coins. An inquiry of the bank withholds none (docs/payments.md#disputes).
create or replace function enqueue_dispute_opened() returns trigger language plpgsql as $$
begin
  if new.withheld_cents > 0 and (tg_op = 'INSERT' or old.withheld_cents = 0) then
    perform enqueue_api_event(array[user_id], 'dispute.opened', id, jsonb_build_object('paymentId', id, 'cents', new.cents))
       from payments where id = new.payment_id;
  end if;
  return null;
end $$;
create or replace trigger payment_disputes_opened_event after insert or update of withheld_cents on payment_disputes
  for each row execute function enqueue_dispute_opened();

create or replace function enqueue_payout_confirmed() returns trigger language plpgsql as $$
begin
  perform enqueue_api_event(array[new.worker_id], 'payout.confirmed', new.id, jsonb_build_object('withdrawalId', new.id,
    'coins', new.coins, 'cents', new.amount_cents, 'system', new.payment_system));
  return null;
end $$;
create or replace trigger withdrawals_confirmed_event after update of status on withdrawals
  for each row when (old.status <> 'approved' and new.status = 'approved') execute function enqueue_payout_confirmed();
