import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

type FunnelRow = {
  is_own: boolean
  seen: number
  reserved: number
  submitted: number
  approved: number
  rejected: number
  paid: number
  escrow: number
  median_seconds: number | null
}

// Each part of the slots has an index of its own.
const readFunnel = query<FunnelRow, [task: string, buyer: string]>(
  'task_funnel',
  `select tasks.buyer_id = $2 as is_own, coalesce(views.workers, 0) as seen, slots.reserved, slots.submitted, slots.approved,
          slots.rejected, slots.approved * tasks.reward as paid, accounts.balance as escrow, median_seconds
     from tasks join ledger_accounts as accounts on accounts.id = tasks.escrow_id
     left join task_view_counts as views on views.task_id = tasks.id
     left join task_records on task_records.task_id = tasks.id
    cross join lateral (
      select count(distinct (worker_id, item_number)) as reserved, count(distinct (worker_id, item_number)) filter (where submitted) as submitted,
             count(*) filter (where status = 'approved') as approved,
             count(distinct (worker_id, item_number)) filter (where status = 'rejected' and decided_by is distinct from 'worker_left') as rejected
        from (select worker_id, item_number, true as submitted, status, decided_by from submissions where task_id = $1 and rejected_at is null
              union all
              select worker_id, item_number, true, status, decided_by from submissions where task_id = $1 and rejected_at is not null
              union all
              select worker_id, item_number, false, null, null from reservations where task_id = $1 and buyer_id = $2 and ended_at is null
              union all
              select worker_id, item_number, false, null, null from reservations where task_id = $1 and outcome = 'lapsed') as taken) as slots
    where tasks.id = $1 and tasks.deleted_at is null and (tasks.listed_from < 'infinity' or tasks.buyer_id = $2)`,
  PIPELINED,
)

/**
 * Returns what became of a buyer's own task, from the workers who opened it to approved work.
 * @throws Refusal `task_not_found`; `not_yours` for another buyer's.
 */
export async function funnelOfTask(db: Db, taskId: string, buyerId: string): Promise<FunnelRow> {
  const [row] = await readFunnel(db, taskId, buyerId)
  if (row === undefined) throw new Refusal('task_not_found')
  if (!row.is_own) throw new Refusal('not_yours')
  return row
}
