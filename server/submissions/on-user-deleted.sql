-- Deletion of a user (docs/specification/users.md). The caller holds the user's row lock.

-- Locks the tasks and submissions concerned in order of their ids, so that a concurrent decision cannot deadlock.
create or replace function lock_work_of_user(p_user uuid) returns void language plpgsql as $$
begin
  perform from tasks
    where id in (select id from tasks where buyer_id = p_user and closed_at is null
                 union select task_id from submissions
                        where status not in ('approved', 'rejected') and (buyer_id = p_user or worker_id = p_user)
                 union select task_id from reservations where ended_at is null and (buyer_id = p_user or worker_id = p_user))
    order by id for no key update;
  perform from submissions where status not in ('approved', 'rejected') and (buyer_id = p_user or worker_id = p_user)
    order by id for no key update;
end $$;

-- Sends the reviewers of a user's work an event: their reviews end with the deletion.
create or replace function enqueue_reviews_of_user(p_user uuid) returns void language plpgsql as $$
begin
  perform enqueue_topic(reviewer_id, 'submissions')
     from (select distinct reviewer_id from submissions join reviews on submission_id = submissions.id
            where status = 'in_review' and (buyer_id = p_user or worker_id = p_user)
              and reviews.decided_at is null and reviewer_id is not null) as open_reviews;
end $$;

-- Approves and pays all work on the tasks of a deleted buyer that is not final. Notifies each worker once per task, with the number and
-- the coins of all their work on it. Returns the number of submissions.
create or replace function pay_pending_work(p_buyer uuid) returns int language plpgsql as $$
declare
  paid record;
  work record;
begin
  with approved as (
    update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'buyer_left'
     where buyer_id = p_buyer and status not in ('approved', 'rejected')
    returning id, task_id, worker_id, reward)
  select array_agg(approved.id) as ids, array_agg(tasks.escrow_id) as escrows, array_agg(workers.account_id) as accounts,
         array_agg(approved.reward) as rewards
    into paid
    from approved join tasks on tasks.id = approved.task_id join users as workers on workers.id = approved.worker_id;
  if paid.ids is null then
    return 0;
  end if;
  perform transfer_all('submission_paid', paid.ids, paid.escrows, paid.accounts, paid.rewards);

  select array_agg(worker_id) as workers, array_agg(last) as refs,
         array_agg(jsonb_build_object('title', title, 'count', count, 'coins', coins, 'decidedBy', 'buyer_left')) as params
    into work
    from (select worker_id, title, (array_agg(submissions.id order by submissions.id desc))[1] as last,
                 count(*) as count, sum(submissions.reward)::bigint as coins
            from submissions join tasks on tasks.id = task_id
           where submissions.id = any (paid.ids) group by worker_id, tasks.id) as per_worker;
  perform notify_users(work.workers, 'submission_approved', work.params, work.refs);
  return cardinality(paid.ids);
end $$;

-- Rejects all work of a deleted worker that is not final and frees its slots; the coins of slots on closed tasks go back
-- to the buyers, who are notified once per task. Returns the number of submissions.
create or replace function release_pending_work(p_worker uuid) returns int language plpgsql as $$
declare
  pending submissions;
  released int := 0;
begin
  perform notify_user(buyer_id, 'worker_left', jsonb_build_object(
      'worker', (select name from users where id = p_worker), 'title', title, 'refunded', refunded, 'slots', slots), task_id)
     from (select submissions.buyer_id, tasks.id as task_id, title, slot_reopened or closed_at is not null as refunded, count(*) as slots
             from submissions join tasks on tasks.id = task_id
            where worker_id = p_worker and status not in ('approved', 'rejected')
            group by submissions.buyer_id, tasks.id, refunded order by tasks.id, refunded) as per_task;
  -- The relay finds no free slots by these notifications, which refer to tasks.
  perform enqueue_change(buyer_id, task_id)
     from (select distinct buyer_id, task_id from submissions
            where worker_id = p_worker and status not in ('approved', 'rejected')) as freed;
  for pending in select * from submissions
                  where worker_id = p_worker and status not in ('approved', 'rejected') order by id loop
    update submissions set status = 'rejected', decided_at = clock_time(), decided_by = 'worker_left'
     where id = pending.id;
    if pending.slot_reopened then
      perform withdraw_slot(pending.task_id, pending.id);
    else
      perform free_slot(pending.task_id, pending.id);
    end if;
    released := released + 1;
  end loop;
  return released;
end $$;
