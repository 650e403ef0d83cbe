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

-- Approves and pays all work on the tasks of a deleted buyer that is not final. Returns the number of submissions.
create or replace function pay_pending_work(p_buyer uuid) returns int language plpgsql as $$
declare
  pending uuid;
  paid int := 0;
begin
  for pending in select id from submissions
                  where buyer_id = p_buyer and status not in ('approved', 'rejected') order by id loop
    perform approve_locked_submission(pending, 'buyer_left');
    paid := paid + 1;
  end loop;
  return paid;
end $$;

-- Rejects all work of a deleted worker that is not final and frees its slots; the coins of slots on closed tasks go back
-- to the buyers. Returns the number of submissions.
create or replace function release_pending_work(p_worker uuid) returns int language plpgsql as $$
declare
  pending submissions;
  released int := 0;
begin
  for pending in select * from submissions
                  where worker_id = p_worker and status not in ('approved', 'rejected') order by id loop
    update submissions set status = 'rejected', decided_at = clock_time(), decided_by = 'worker_left'
     where id = pending.id;
    if pending.slot_reopened then
      perform withdraw_slot(pending.task_id, pending.id);
    else
      perform free_slot(pending.task_id, pending.id);
    end if;
    perform notify_user(pending.buyer_id, 'worker_left', jsonb_build_object(
        'worker', (select name from users where id = p_worker), 'title', tasks.title,
        'refunded', pending.slot_reopened or tasks.closed_at is not null),
      pending.task_id) from tasks where id = pending.task_id;
    released := released + 1;
  end loop;
  return released;
end $$;
