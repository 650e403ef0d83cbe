-- Applies the deadline of a submission: approves pending work, returns work without a revision to its review, and makes a
-- rejection without an appeal final (docs/specification/submissions.md#states). Returns false when it is not due any more, or
-- its state belongs to an appeal (server/appeals/settle-due.sql).
create or replace function settle_due_submission(p_submission uuid, p_review interval) returns boolean language plpgsql as $$
declare
  due submissions := lock_submission(p_submission);
  task tasks;
begin
  if due.due_at > clock_time() or due.status not in ('pending', 'revision_requested', 'rejection_open') then
    return false;
  end if;
  select * into strict task from tasks where id = due.task_id;

  if due.status = 'pending' then
    perform approve_locked_submission(due.id, 'time');
    if due.item_number is not null then
      perform notify_of_items(due.buyer_id, 'items_approved_by_time', task.id, task.title, 1, due.reward);
    else
      perform notify_user(due.buyer_id, 'approved_by_time', jsonb_build_object(
          'worker', (select name from users where id = due.worker_id), 'title', task.title, 'coins', due.reward), due.id);
    end if;
  elsif due.status = 'revision_requested' then
    perform change_submission_state(due.id, 'pending', coalesce(make_interval(hours => task.review_hours), p_review));
    perform notify_user(due.buyer_id, 'revision_missed', jsonb_build_object('title', task.title, 'recipient', 'buyer'), due.id);
    perform notify_user(due.worker_id, 'revision_missed', jsonb_build_object('title', task.title, 'recipient', 'worker'), due.id);
  else
    perform finalize_rejection(due.id, 'buyer');
  end if;
  return true;
end $$;
