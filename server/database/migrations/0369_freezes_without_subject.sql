-- Ends the freezes of withdrawal requests that are decided and of deleted users without a payout in flight, as decisions and
-- deletions do from now on (docs/specification/risk.md#freezes): they were listed as live for ever.
-- Locks: their rows.
update freezes set ended_at = clock_time()
 where ended_at is null
   and (exists (select from withdrawals where withdrawals.id = freezes.withdrawal_id and status <> 'pending')
        or exists (select from users where users.id = freezes.user_id and deleted_at is not null)
            and not exists (select from withdrawals where worker_id = freezes.user_id and status = 'pending'));
