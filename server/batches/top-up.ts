import { SLOTS_MAX } from '#contract/product.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import { type BatchRow, ownBatch } from './queries.ts'

/** The items that are changed in one transaction: each locks the task, so that workers wait briefly. */
const ITEMS_PER_RAISE = 1_000

const topUpBatchStatement = query<
  never,
  [batch: string, buyer: string, workers: number, total: number, feePercent: number, slotsMax: number]
>('top_up_batch', 'select top_up_batch($1, $2, $3, $4, $5, $6)')
const toppedUpBatches = query<{ id: string }, [limit: number]>(
  'batches_to_raise',
  'select id from batches where raising_workers > 0 order by id limit $1',
)
const raiseItems = queryOne<{ raised: boolean }, [batch: string, items: number]>(
  'raise_batch_items',
  'select raise_batch_items($1, $2) as raised',
)

/**
 * Pays for more workers on every item of an open batch, up to `workersPerItem`. Returns the batch, unchanged when it has these
 * already. The background job then offers its items.
 * @throws Refusal `not_found`, `state_conflict`, `invalid_fields` for another cost, fewer workers or too many slots, `task_closed`,
 * `deadline_passed`, `insufficient_coins`, `account_frozen`.
 */
export async function topUpBatch(
  db: Db,
  { taskFeePercent }: Config,
  batchId: string,
  buyerId: string,
  { workersPerItem, total }: { workersPerItem: number; total: number },
): Promise<BatchRow> {
  await topUpBatchStatement(db, batchId, buyerId, workersPerItem, total, taskFeePercent, SLOTS_MAX)
  return ownBatch(db, batchId, buyerId)
}

/** Raises the number of answers that the items of topped-up batches want. Returns the number of transactions. */
export function raiseToppedUpItems(database: Database): Promise<number> {
  return processDueRows(
    database,
    toppedUpBatches,
    async (id) => (await raiseItems(database, id, ITEMS_PER_RAISE)).raised,
  )
}
