-- Moves the reward of approved work from the task's escrow to the worker, and notifies the worker. The caller has
-- changed the submission's status to approved in the same transaction.
create or replace function pay_submission(p_submission submissions) returns void language plpgsql as $$
declare
  escrow bigint;
  task_title text;
  worker_account bigint;
begin
  select tasks.escrow_id, tasks.title, workers.account_id into strict escrow, task_title, worker_account
    from tasks, users as workers where tasks.id = p_submission.task_id and workers.id = p_submission.worker_id;
  perform transfer('submission_paid', p_submission.id, escrow, worker_account, p_submission.reward);
  -- Work that was rejected before gets its own notification.
  if p_submission.item_number is not null and p_submission.rejected_at is null then
    perform notify_of_items(p_submission.worker_id, 'items_approved', p_submission.task_id, task_title, 1, p_submission.reward);
    perform enqueue_work_change(p_submission.buyer_id, p_submission.worker_id, p_submission.task_id);
    perform enqueue_topic(p_submission.buyer_id, 'submissions');
  else
    perform notify_user(p_submission.worker_id, 'submission_approved',
      jsonb_build_object('title', task_title, 'coins', p_submission.reward, 'decidedBy', p_submission.decided_by), p_submission.id);
  end if;
end $$;

-- Approves a submission that the caller has locked, for another reason than the buyer's approval, and pays it.
create or replace function approve_locked_submission(p_submission uuid, p_decided_by decider) returns submissions language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  approved submissions;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = p_decided_by
   where id = p_submission returning * into strict approved;
  perform pay_submission(approved);
  return approved;
end $$;

-- Approves a pending submission of this buyer and pays it (docs/specification/submissions.md). A repeated approval
-- changes nothing and returns modified = 0, also when the buyer was frozen since; an approval after a rejection is refused. With a
-- plan for any id: PostgreSQL would plan each approval again to choose the partition (docs/decisions/0103-partitions.md).
create or replace function approve_submission(p_submission uuid, p_buyer uuid)
returns table (matched int, modified int) language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare
  is_stopped boolean := lock_against_freeze(p_buyer);
  approved submissions;
begin
  update submissions set status = 'approved', decided_at = clock_time(), decided_by = 'buyer'
   where id = p_submission and buyer_id = p_buyer and status in ('pending', 'revision_requested') and not is_stopped
   returning * into approved;
  if not found then
    if is_stopped then
      perform refuse_undecided_of_frozen(array[p_submission], p_buyer);
    end if;
    return query select 1, existing_decision(p_submission, p_buyer, 'approved');
    return;
  end if;

  perform pay_submission(approved);
  return query select 1, 1;
end $$;

-- Refuses to approve for a frozen buyer what they have not decided.
create or replace function refuse_undecided_of_frozen(p_submissions uuid[], p_buyer uuid) returns void language plpgsql as $$
begin
  if exists (select from submissions where id = any (p_submissions) and buyer_id = p_buyer and status in ('pending', 'revision_requested')) then
    perform refuse('account_frozen');
  end if;
end $$;

-- Approves several submissions of this buyer as `approve_submission` approves one, in one transaction. Returns a row for
-- each of them: whether it was approved now, and its status, which is null when it does not exist or is another buyer's.
-- Lock order: the buyer, the submissions by id, the escrows, the workers' accounts.
create or replace function approve_submissions(p_submissions uuid[], p_buyer uuid)
returns table (submission uuid, modified boolean, current_status submission_status) language plpgsql as $$
declare
  is_stopped boolean := lock_against_freeze(p_buyer);
  approved uuid[];
begin
  if is_stopped then
    perform refuse_undecided_of_frozen(p_submissions, p_buyer);
  end if;
  approved := approve_locked_submissions(
    array(select id from submissions where id = any (p_submissions) and buyer_id = p_buyer and not is_stopped
           order by id for no key update), 'buyer');
  -- A subquery for what was not approved: PostgreSQL would read all submissions of the buyer for a join.
  return query
    select asked.id, done.id is not null, case when done.id is not null then 'approved' else
             (select status from submissions where submissions.id = asked.id and submissions.buyer_id = p_buyer) end
      from unnest(p_submissions) as asked (id) left join unnest(approved) as done (id) on done.id = asked.id;
end $$;

-- Approves those of the submissions that wait for their buyer or for a revision, and pays them. The caller has locked them by id.
-- Returns the approved ones.
create or replace function approve_locked_submissions(p_submissions uuid[], p_decided_by decider) returns uuid[] language plpgsql as $$
declare
  approved record;
begin
  with changed as (
    update submissions set status = 'approved', decided_at = clock_time(), decided_by = p_decided_by
     where id = any (p_submissions) and status in ('pending', 'revision_requested')
    returning id, task_id, worker_id, buyer_id, item_number, reward, decided_by)
  select array_agg(changed.id) as ids, array_agg(changed.reward) as rewards,
         array_agg(tasks.escrow_id) as escrows, array_agg(workers.account_id) as accounts,
         array_agg(changed.id) filter (where item_number is null) as plain_ids,
         array_agg(changed.worker_id) filter (where item_number is null) as plain_workers,
         array_agg(distinct changed.buyer_id) filter (where item_number is null) as plain_buyers,
         array_agg(jsonb_build_object('title', tasks.title, 'coins', changed.reward, 'decidedBy', changed.decided_by))
           filter (where item_number is null) as plain_params
    into approved
    from changed join tasks on tasks.id = changed.task_id join users as workers on workers.id = changed.worker_id;
  if approved.ids is not null then
    perform transfer_all('submission_paid', approved.ids, approved.escrows, approved.accounts, approved.rewards);
    if approved.plain_ids is not null then
      perform notify_users(approved.plain_workers, 'submission_approved', approved.plain_params, approved.plain_ids);
      perform enqueue_topic(buyer, 'submissions') from unnest(approved.plain_buyers) as buyer;
    end if;
    if cardinality(approved.ids) > coalesce(cardinality(approved.plain_ids), 0) then
      perform notify_of_approved_items(approved.ids, p_decided_by);
    end if;
  end if;
  return coalesce(approved.ids, '{}');
end $$;

-- Notifies the workers of approved items, each once per batch, and the buyers' live pages.
create or replace function notify_of_approved_items(p_submissions uuid[], p_decided_by decider) returns void language plpgsql as $$
declare
  work record;
begin
  select array_agg(worker_id) as workers, array_agg(buyer_id) as buyers, array_agg(task_id) as tasks, array_agg(title) as titles,
         array_agg(items) as items, array_agg(coins) as coins
    into work
    from (select worker_id, submissions.buyer_id, tasks.id as task_id, tasks.title, count(*) as items, sum(submissions.reward)::bigint as coins
            from submissions join tasks on tasks.id = submissions.task_id
           where submissions.id = any (p_submissions) and item_number is not null
           group by worker_id, submissions.buyer_id, tasks.id) as per_worker;
  if p_decided_by = 'agreement' then
    perform notify_users_of_items(work.workers, 'items_agreed', work.tasks, work.titles, work.items, work.coins);
  else
    perform notify_users_of_items(work.workers, 'items_approved', work.tasks, work.titles, work.items, work.coins);
  end if;
  perform enqueue_work_changes(work.buyers, work.workers, work.tasks);
  perform enqueue_topic(buyer, 'submissions') from (select distinct buyer from unnest(work.buyers) as buyer) as notified;
end $$;

-- Returns 0 when this decision was made before. Refuses when the submission does not exist, is not this buyer's, waits
-- for a revision, also one that was submitted since the caller looked, was decided differently, or is to be rejected after its
-- review period.
create or replace function existing_decision(p_submission uuid, p_buyer uuid, p_decision submission_status)
returns int language plpgsql as $$
declare
  existing submissions;
  decision submission_status;
begin
  select * into existing from submissions where id = p_submission and buyer_id = p_buyer;
  if not found then
    perform refuse('submission_not_found');
  elsif existing.status = 'pending' and p_decision = 'rejected' and existing.due_at <= clock_time() then
    perform refuse('deadline_passed.review');
  elsif existing.status in ('revision_requested', 'pending') then
    perform refuse('state_conflict.revision');
  end if;
  decision := case when existing.status = 'approved' then 'approved' else 'rejected' end;
  if decision <> p_decision then
    perform refuse('already_decided.submission', jsonb_build_object('status', decision));
  end if;
  return 0;
end $$;
