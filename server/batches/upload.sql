-- Creates a batch of a buyer's own project for a file that is uploaded next. The buyer has fewer than `p_max` batches that
-- are not paid; the lock of their row keeps concurrent requests from exceeding it.
create or replace function create_batch(p_id uuid, p_project uuid, p_buyer uuid, p_file_name text, p_max int)
returns void language plpgsql as $$
declare
  project projects;
begin
  perform lock_user_in_role(p_buyer, 'Buyer');
  select * into project from projects where id = p_project and buyer_id = p_buyer for share;
  if not found then
    perform refuse('not_found.project');
  elsif project.archived_at is not null then
    perform refuse('state_conflict.project_archived');
  elsif (select count(*) from batches
          where buyer_id = p_buyer and state in ('uploading', 'checking', 'checked', 'funding')) >= p_max then
    perform refuse('state_conflict.batches', jsonb_build_object('max', p_max));
  end if;
  insert into batches (id, project_id, project_version, buyer_id, file_name)
  values (p_id, p_project, project.version, p_buyer, p_file_name);
end $$;

-- Stores a chunk of the file of a buyer's own batch, once or again, and returns the bytes received. Chunks come in order, so
-- that none is missing.
create or replace function put_batch_chunk(p_batch uuid, p_buyer uuid, p_number int, p_content bytea)
returns int language plpgsql as $$
declare
  batch batches := lock_own_batch(p_batch, p_buyer, '{uploading}');
  chunks int := (select count(*) from batch_chunks where batch_id = p_batch);
  before int := coalesce((select octet_length(content) from batch_chunks where batch_id = p_batch and number = p_number), 0);
  received int := batch.bytes - before + octet_length(p_content);
begin
  if p_number > chunks then
    perform refuse('state_conflict.batch_chunk', jsonb_build_object('number', chunks));
  end if;
  insert into batch_chunks (batch_id, number, content) values (p_batch, p_number, p_content)
  on conflict (batch_id, number) do update set content = excluded.content;
  update batches set bytes = received where id = p_batch;
  return received;
end $$;

-- Ends the upload of a buyer's own batch: the background job checks the file next. Chunks after those that make up its size are
-- of a longer file that was uploaded before it, and are deleted. Repeating it changes nothing.
create or replace function begin_batch_check(p_batch uuid, p_buyer uuid, p_bytes int) returns void language plpgsql as $$
declare
  batch batches := lock_own_batch(p_batch, p_buyer, '{uploading,checking,checked}');
begin
  if batch.state = 'uploading' and batch.bytes > p_bytes then
    delete from batch_chunks
     where batch_id = p_batch
       and number > (select min(number)
                       from (select number, sum(octet_length(content)) over (order by number) as bytes
                               from batch_chunks where batch_id = p_batch) as chunks
                      where bytes = p_bytes);
    if found then
      batch.bytes := p_bytes;
    end if;
  end if;
  if batch.bytes <> p_bytes then
    perform refuse('state_conflict.batch_bytes', jsonb_build_object('bytes', batch.bytes));
  end if;
  update batches set state = 'checking', bytes = p_bytes where id = p_batch and state = 'uploading';
end $$;

-- Cancels a buyer's own batch that is not paid, and deletes its file. Repeating it changes nothing.
create or replace function cancel_batch(p_batch uuid, p_buyer uuid) returns void language plpgsql as $$
begin
  perform lock_own_batch(p_batch, p_buyer, '{uploading,checking,checked,cancelled}');
  delete from batch_chunks where batch_id = p_batch;
  delete from batch_pictures where batch_id = p_batch;
  perform delete_items(p_batch);
  update batches set state = 'cancelled', items_written = 0, post_at = null where id = p_batch and state <> 'cancelled';
end $$;

-- Locks a buyer's own batch that is in one of these states.
create or replace function lock_own_batch(p_batch uuid, p_buyer uuid, p_states text[]) returns batches language plpgsql as $$
declare
  batch batches;
begin
  select * into batch from batches where id = p_batch and buyer_id = p_buyer for no key update;
  if not found then
    perform refuse('not_found.batch');
  elsif batch.state <> all (p_states) then
    perform refuse('state_conflict.batch', jsonb_build_object('state', batch.state));
  end if;
  return batch;
end $$;
