-- Marks the agreement of a batch as due when an answer is rejected for good, or a rejection is reversed
-- (docs/decisions/0088-quality-of-batches.md). 0387 marks those of the rejections before.
-- Locks: submissions for writes, for the moment in which a trigger is created.

-- server/batches/agreement.sql has these from now on.
create or replace function mark_agreement_due(p_batch uuid) returns void language plpgsql as $$
begin
  update batch_agreement set state = 'due' where batch_id = p_batch and state <> 'due';
  if not found then
    insert into batch_agreement (batch_id) values (p_batch) on conflict do nothing;
  end if;
end $$;
create or replace function mark_agreement_of_rejection() returns trigger language plpgsql as $$
begin
  if new.item_number is not null and (old.status = 'rejected') <> (new.status = 'rejected') then
    perform mark_agreement_due((select batch_id from tasks where id = new.task_id));
  end if;
  return null;
end $$;
create or replace trigger submissions_agreement after update of status on submissions
  for each row execute function mark_agreement_of_rejection();
