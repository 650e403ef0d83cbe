-- Records are computed for sets of users and tasks. Those of a database from before are computed here at once.
drop function if exists update_buyer_record(uuid);
drop function if exists update_worker_record(uuid);
drop function if exists update_task_record(uuid);

insert into worker_records (worker_id, approved, rejected)
select worker_id, count(*) filter (where status = 'approved'),
       count(*) filter (where status = 'rejected' and decided_by <> 'worker_left')
  from submissions where status in ('approved', 'rejected') group by worker_id
on conflict (worker_id) do nothing;

-- Older than a day, so that the background job computes them soon.
insert into buyer_records (buyer_id, record, updated_at)
select distinct buyer_id, jsonb_build_object('decided', 0, 'approved', 0, 'rejected', 0, 'appealsLost', 0,
         'decisionSeconds', null, 'paymentSeconds', null), '-infinity'::timestamptz
  from submissions
on conflict (buyer_id) do nothing;

update records_watermark set up_to = greatest(up_to, coalesce((select max(id) from notifications), 0));

-- Rejected work by task: a small part of the table. Other work has submissions_one_live.
create index submissions_rejected_of_task on submissions (task_id) where rejected_at is not null;
