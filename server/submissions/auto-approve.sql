-- Nobody reviewed the work in time: it is approved, the worker is paid, and both are told. Answers whether it was this
-- call that decided; the buyer or another instance may have been first.
create or replace function approve_due_submission(p_submission uuid) returns boolean language plpgsql as $$
declare
  work submissions;
  task_title text;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'time'
   where id = p_submission and status = 'pending' and review_by <= clock_time()
   returning * into work;
  if not found then
    return false;
  end if;
  select title into strict task_title from tasks where id = work.task_id;

  perform pay_submission(work, format('Your work on "%s" was approved, because nobody reviewed it in time. You earned %s.',
    task_title, coins_in_words(work.reward)));
  perform notify_user(work.buyer_id, 'approved_by_time',
    format('Work by %s on "%s" was approved by itself, because the time to review it is over. It earned %s.',
      (select name from users where id = work.worker_id), task_title, coins_in_words(work.reward)),
    '/dashboard/task-to-review?status=approved', work.id);
  return true;
end $$;
