-- Marks the agreement of a batch as due. The caller has locked the task's row, and changed its answers.
create or replace function mark_agreement_due(p_batch uuid) returns void language plpgsql as $$
begin
  update batch_agreement set state = 'due' where batch_id = p_batch and state <> 'due';
  if not found then
    insert into batch_agreement (batch_id) values (p_batch) on conflict do nothing;
  end if;
end $$;

-- Marks the agreement of a batch as due when an answer is rejected for good, or a rejection is reversed: the answers that count
-- have changed. The statement that decides has locked the task's row.
create or replace function mark_agreement_of_rejection() returns trigger language plpgsql as $$
begin
  if new.item_number is not null and (old.status = 'rejected') <> (new.status = 'rejected') then
    perform mark_agreement_due((select batch_id from tasks where id = new.task_id));
  end if;
  return null;
end $$;
create or replace trigger submissions_agreement after update of status on submissions
  for each row execute function mark_agreement_of_rejection();

-- Begins to compute the agreement of a batch. The lock of the task's row waits for answers that are being changed: changes after it
-- make the agreement due again. Returns false when it is not due any more.
create or replace function begin_agreement(p_batch uuid) returns boolean language plpgsql as $$
begin
  perform from tasks where batch_id = p_batch and id = (select task_id from batches where id = p_batch) for share;
  update batch_agreement set state = 'computing' where batch_id = p_batch and state <> 'computed';
  return found;
end $$;

-- Stores the agreement of the items after p_after up to p_through, and deletes that of items whose answers were all rejected.
create or replace function store_item_agreement(p_batch uuid, p_after int, p_through int, p_items jsonb) returns void language plpgsql as $$
begin
  delete from item_agreement
   where batch_id = p_batch and number > p_after and number <= p_through
     and number not in (select number from jsonb_to_recordset(p_items) as each(number int));
  insert into item_agreement (batch_id, number, answers, share, questions)
  select p_batch, number, answers, share, questions
    from jsonb_to_recordset(p_items) as each(number int, answers int, share real, questions jsonb)
  on conflict (batch_id, number) do update set answers = excluded.answers, share = excluded.share, questions = excluded.questions
   where (item_agreement.answers, item_agreement.share, item_agreement.questions)
     is distinct from (excluded.answers, excluded.share, excluded.questions);
end $$;

-- Stores the result and marks the agreement as computed. It stays due when answers were submitted, rejected for good or
-- reinstated since `begin_agreement`.
create or replace function end_agreement(p_batch uuid, p_answers int, p_questions jsonb) returns void language plpgsql as $$
begin
  update batch_agreement
     set state = case state when 'computing' then 'computed' else state end, answers = p_answers, questions = p_questions,
         computed_at = clock_time()
   where batch_id = p_batch;
  perform enqueue_topic((select buyer_id from batches where id = p_batch), 'batches');
end $$;
