-- Submits the answers to an item as `submit_item` does, counts them, and marks the agreement as due. `p_closed` are the questions
-- with options, `p_share` the least share of agreeing answers that are approved automatically; null: none are. Lock order: the
-- worker, the buyer, the task, the submissions of the item, the agreement.
create or replace function submit_batch_item(
  p_id uuid, p_task uuid, p_worker uuid, p_item int, p_text text, p_answers jsonb, p_review interval, p_closed text[], p_share int)
returns void language plpgsql as $$
declare
  batch uuid;
begin
  perform from users where id = p_worker for no key update;
  perform from users where p_share is not null and id = (select buyer_id from tasks where id = p_task) for share;
  perform submit_item(p_id, p_task, p_worker, p_item, p_text, p_answers, p_review);
  select batch_id into strict batch from tasks where id = p_task;
  perform count_batch_answer(batch, p_worker, p_item, p_answers);
  perform approve_agreeing(p_task, p_item, p_closed, p_share);
  perform mark_agreement_due(batch);
end $$;

-- Submits revised answers to an item as `revise_submission` does, and marks the agreement as due.
create or replace function revise_batch_item(
  p_submission uuid, p_worker uuid, p_text text, p_review interval, p_answers jsonb, p_closed text[], p_share int)
returns void language plpgsql as $$
declare
  revised submissions;
begin
  select * into revised from submissions where id = p_submission;
  perform from users where p_share is not null and id = revised.buyer_id for share;
  perform revise_submission(p_submission, p_worker, p_text, p_review, p_answers);
  perform approve_agreeing(revised.task_id, revised.item_number, p_closed, p_share);
  perform mark_agreement_due((select batch_id from tasks where id = revised.task_id));
end $$;

-- Returns what answers say to the questions with options.
create or replace function closed_answers(p_answers jsonb, p_closed text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(name, comparable_answer(value)), '{}') from jsonb_each(p_answers) as given(name, value)
   where name = any (p_closed)
$$;

-- Approves the answers to an item that are equal in all questions with options, when the item has all its answers, none of them is
-- being revised, the buyer has rejected none, and at least p_share percent are equal. The buyer decides the others. Answers that
-- a deleted worker left do not count. A frozen buyer approves nothing. The caller has locked the buyer and the task.
create or replace function approve_agreeing(p_task uuid, p_item int, p_closed text[], p_share int) returns void language plpgsql as $$
declare
  task tasks;
  wanted int;
  agreed jsonb;
begin
  select * into strict task from tasks where id = p_task;
  if p_share is null or is_frozen(task.buyer_id) then
    return;
  end if;
  perform from submissions where task_id = p_task and item_number = p_item order by id for no key update;
  select answers_wanted into strict wanted from batch_items where batch_id = task.batch_id and number = p_item;
  if wanted < 2 or exists (select from submissions where task_id = p_task and item_number = p_item
                              and status not in ('pending', 'approved') and (status <> 'rejected' or rejected_at is not null))
      or (select count(*) from submissions where task_id = p_task and item_number = p_item and status <> 'rejected') < wanted then
    return;
  end if;
  -- More than half: at most one group.
  select said into agreed
    from (select closed_answers(answers, p_closed) as said from submissions
           where task_id = p_task and item_number = p_item and status <> 'rejected') as each
   where said <> '{}' group by said having count(*) * 100 >= greatest(p_share, 51) * wanted;
  if found then
    perform approve_locked_submissions(array(
      select id from submissions where task_id = p_task and item_number = p_item and status = 'pending'
         and closed_answers(answers, p_closed) = agreed order by id), 'agreement');
  end if;
end $$;
