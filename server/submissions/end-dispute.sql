-- Accepts a rejection on behalf of its worker: it is final before its appeal window ends.
create or replace function accept_rejection(p_submission uuid, p_worker uuid) returns void language plpgsql as $$
declare
  rejected submissions := lock_submission_of(p_submission, null, p_worker, '{rejection_open}');
begin
  perform finalize_rejection(rejected.id, 'worker');
end $$;

-- Takes back a rejection that is not final, on behalf of its buyer: the worker is paid from the escrow.
create or replace function concede_rejection(p_submission uuid, p_buyer uuid) returns void language plpgsql as $$
declare
  rejected submissions;
begin
  perform refuse_frozen(p_buyer);
  rejected := lock_submission_of(p_submission, p_buyer, null, '{rejection_open,appealed,in_review}');
  perform approve_locked_submission(rejected.id, 'concession');
  perform enqueue_open_review(rejected.id);
end $$;

-- Turns a final rejection into an approval, on behalf of its buyer: the reward moves from their balance through the escrow to the
-- worker, for an added slot. Keeps when and by whom the rejection had become final. Refuses after p_period, without enough coins, and
-- for a deleted worker, whom nobody can pay. Lock order: the worker, so that a concurrent deletion happens before or after, then the
-- task and the submission.
create or replace function reverse_rejection(p_submission uuid, p_buyer uuid, p_period interval) returns void language plpgsql as $$
declare
  worker uuid;
  rejected submissions;
begin
  perform refuse_frozen(p_buyer);
  select id into worker from users
   where id = (select worker_id from submissions where id = p_submission) and deleted_at is null for share;
  rejected := lock_submission_of(p_submission, p_buyer, null, '{rejected}');
  if worker is null then
    perform refuse('user_not_found');
  elsif rejected.decided_at + p_period <= clock_time() then
    perform refuse('deadline_passed.reversal');
  end if;
  perform fund_slot(rejected.task_id, 'reversal_funded', rejected.id);
  insert into reversals (submission_id, final_at, final_by) values (rejected.id, rejected.decided_at, rejected.decided_by);
  perform approve_locked_submission(rejected.id, 'reversal');
end $$;

-- Adds a slot that the buyer pays for, so that another worker can do the work while a rejection is not final. If the rejection
-- becomes final, the slot of the rejected work is withdrawn and its coins are refunded. Refuses for a task that is closed or on hold:
-- nobody could take the slot.
create or replace function reopen_slot(p_submission uuid, p_buyer uuid) returns void language plpgsql as $$
declare
  rejected submissions;
  task tasks;
begin
  perform refuse_frozen(p_buyer);
  rejected := lock_submission_of(p_submission, p_buyer, null, '{rejection_open,appealed,in_review}');
  select * into strict task from tasks where id = rejected.task_id;
  if rejected.slot_reopened then
    return;
  elsif task.closed_at is not null then
    perform refuse('task_closed');
  elsif task.held_at is not null then
    perform refuse('task_closed.held');
  end if;
  perform fund_slot(rejected.task_id, 'slot_reopened', rejected.id);
  perform free_slot(rejected.task_id, rejected.id);
  update submissions set slot_reopened = true where id = rejected.id;
  perform enqueue_change(p_buyer, rejected.task_id);
end $$;
