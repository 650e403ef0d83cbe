create or replace function audit_batches()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with written as (
    select batch_id, count(*) as items, min(number) as first, max(number) as last, sum(answers_wanted) as wanted,
           sum(answers_wanted - answers_taken) as free
      from batch_items group by batch_id
  ),
  funded as (
    select batches.id, batches.items * ((content->>'workersPerItem')::bigint + added_workers) * (content->>'reward')::bigint as pay,
           agreed_total, tasks.batch_id, coins.amount + coalesce(added.pay, 0) as amount,
           coalesce(fee.amount, 0) + coalesce(added.fee, 0) as fee
      from batches join project_versions as versions on versions.project_id = batches.project_id and version = project_version
      left join tasks on tasks.id = batches.task_id
      left join ledger_transfers as coins on coins.kind = 'task_funded' and coins.ref = tasks.id
      left join ledger_transfers as fee on fee.kind = 'task_fee' and fee.ref = tasks.id
      left join lateral (
        select sum(pay.amount) as pay, sum(fee.amount) as fee from task_changes
          join ledger_transfers as pay on pay.kind = 'task_topped_up' and pay.ref = task_changes.id
          left join ledger_transfers as fee on fee.kind = 'task_fee' and fee.ref = task_changes.id
         where task_changes.task_id = tasks.id and task_changes.kind = 'topped_up') as added on true
     where batches.state = 'open'
  )
  select 'every row of a paid batch is exactly one item', count(*),
         count(*) filter (where (coalesce(written.items, 0), coalesce(first, 1), coalesce(last, 0)) <> (items_written, 1, items_written)
                             or (state = 'open' and items_written <> batches.items))
    from batches left join written on batch_id = batches.id
  union all
  select 'the escrow of every paid batch was funded with its whole cost', count(*),
         count(*) filter (where batch_id is distinct from id or amount is distinct from pay or pay + fee <> agreed_total)
    from funded
  union all
  select 'every task of a batch belongs to the batch that was paid', count(*), count(*) filter (where batches.id is null)
    from tasks left join batches on batches.task_id = tasks.id and batches.id = tasks.batch_id where tasks.batch_id is not null
  union all
  select 'the slots of the task of a batch are the answers that its items want', count(*),
         count(*) filter (where wanted + raising is distinct from slots or (closed_at is null and free + raising <> slots_left))
    from (select tasks.*, raising_workers * (batches.items - raised_items) as raising
            from tasks join batches on batches.id = tasks.batch_id) as tasks
    left join written on written.batch_id = tasks.batch_id
$$;
