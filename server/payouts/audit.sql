create or replace function audit_payouts()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every approved withdrawal has one confirmed payout of its coins and one transfer, and no other has any', count(*),
         count(*) filter (where case when withdrawals.status = 'approved'
           then (paid.confirmed, paid.coins, paid.cents, moved.amount) is distinct from
                (1::bigint, withdrawals.coins::numeric, withdrawals.amount_cents::numeric, withdrawals.coins)
           else paid.confirmed is not null or moved.amount is not null end)
    from withdrawals
    left join (select withdrawal_id, count(*) as confirmed, sum(coins) as coins, sum(cents) as cents
                 from payouts where state = 'confirmed' group by withdrawal_id) as paid on paid.withdrawal_id = withdrawals.id
    left join ledger_transfers as moved on moved.kind = 'withdrawal_paid' and moved.ref = withdrawals.id
  union all
  select 'a withdrawal has one live payout at most, and its coins are on hold until that is confirmed', count(*),
         count(*) filter (where live.payouts <> 1 or withdrawals.status <> case when live.confirmed then 'approved' else 'pending' end::withdrawal_status)
    from (select withdrawal_id, count(*) as payouts, bool_or(state = 'confirmed') as confirmed
            from payouts where state in ('queued', 'sent', 'unknown', 'confirmed') group by withdrawal_id) as live
    join withdrawals on withdrawals.id = live.withdrawal_id
  union all
  select 'the state of a payout batch and its totals are those of its payouts', count(*),
         count(*) filter (where case
           when batches.state in ('draft', 'checked') then rows.outside_queue > 0 or (batches.single and rows.queued <> 1)
           when batches.state = 'cancelled' then rows.queued > 0 or rows.outside_queue > 0
           when batches.state = 'reconciled' then rows.in_flight > 0 or rows.queued > 0
           else rows.in_flight = 0 or rows.queued > 0 end
           or (batches.released_at is not null and (batches.row_count, batches.coins, batches.cents) is distinct from
               (rows.outside_queue, rows.coins, rows.cents)))
    from payout_batches as batches
    cross join lateral (
      select count(*) filter (where state = 'queued')::int as queued,
             count(*) filter (where state in ('sent', 'unknown'))::int as in_flight,
             count(*) filter (where state not in ('queued', 'removed'))::int as outside_queue,
             coalesce(sum(coins) filter (where state <> 'removed'), 0)::bigint as coins,
             coalesce(sum(cents) filter (where state <> 'removed'), 0)::bigint as cents
        from payouts where batch_id = batches.id) as rows
$$;
