-- Marks the agreement of batches as due whose answers were rejected for good, or accepted after a rejection, since it was computed, and
-- before 0381. A computation takes up to five minutes.
-- Locks: up to 20 rows of batch_agreement, which submissions update, for the moment in which their submissions are read.
with part as materialized (
  select batch_id from batch_agreement
   where batch_id > (case $1::text when '0' then '00000000-0000-0000-0000-000000000000' else $1 end)::uuid
   order by batch_id limit 20
),
marked as (
  update batch_agreement set state = 'due'
   where batch_id in (select batch_id from part) and state <> 'due'
     and exists (select from batches join submissions on submissions.task_id = batches.task_id
                  where batches.id = batch_id and item_number is not null
                    and (status = 'rejected' or decided_by::text = 'reversal') and decided_at > computed_at - interval '5 minutes')
)
select batch_id as last from part order by batch_id desc limit 1
