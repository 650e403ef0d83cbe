-- Resets the agreement of workers whose answers in a batch were all rejected for good: versions before this one kept what was computed
-- before the rejections.
-- Locks: the rows of these workers in up to 20 batches, which answers of theirs update, for the moment in which their submissions are read.
with part as materialized (
  select batch_id from batch_agreement
   where batch_id > (case $1::text when '0' then '00000000-0000-0000-0000-000000000000' else $1 end)::uuid
   order by batch_id limit 20
),
reset as (
  update batch_workers set compared = 0, agreeing = 0, error_rates = '[]'
   where batch_id in (select batch_id from part) and error_rates <> '[]'
     and not exists (select from batches join submissions on submissions.task_id = batches.task_id
                      where batches.id = batch_workers.batch_id and submissions.worker_id = batch_workers.worker_id
                        and item_number is not null and status <> 'rejected')
)
select batch_id as last from part order by batch_id desc limit 1
