import { STATUS_OF } from '#contract/errors.ts'
import { SLOTS_MAX } from '#contract/product.ts'
import { SCHEDULE_DAYS_MAX } from '#contract/task-drafts.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import { asRefusal } from '#server/http/errors.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import { beginFunding } from './fund.ts'
import { type BatchRow, ownBatch } from './queries.ts'

type DueBatch = { buyer_id: string; email_verified: boolean; completion_date: string; total: number }

const scheduleStatement = query<
  never,
  [
    batch: string,
    buyer: string,
    postAt: string | null,
    day: string | null,
    zone: string,
    total: number | null,
    feePercent: number,
    slotsMax: number,
    daysMax: number,
  ]
>('schedule_batch', 'select schedule_batch($1, $2, $3, $4, $5, $6, $7, $8, $9)')
const dueBatches = query<{ id: string }, [limit: number]>(
  'batches_due',
  `select id from batches where state = 'checked' and post_at <= clock_time() order by post_at limit $1`,
)
const claimBatch = query<DueBatch, [batch: string]>('batch_claim_due', 'select * from claim_due_batch($1)')
const refuseBatch = queryOne<{ refused: boolean }, [batch: string, refusal: string]>(
  'batch_refuse_due',
  'select refuse_due_batch($1, $2) as refused',
)

/**
 * Sets the time at which a background job funds a checked batch for the cost that the buyer has seen, or none. Returns the batch.
 * @throws Refusal `not_found`; `state_conflict` for a file with errors or a batch that is not waiting to be paid; `invalid_fields`
 * for another cost, or a time that is over or too late; `deadline_passed` for a task that would close less than an hour later.
 */
export async function scheduleBatch(
  db: Db,
  { timeZone, taskFeePercent }: Config,
  batchId: string,
  buyerId: string,
  scheduled: { postAt: string; completion_date: string; total: number } | null,
): Promise<BatchRow> {
  const { postAt = null, completion_date: day = null, total = null } = scheduled ?? {}
  await scheduleStatement(
    db,
    batchId,
    buyerId,
    postAt,
    day,
    timeZone,
    total,
    taskFeePercent,
    SLOTS_MAX,
    SCHEDULE_DAYS_MAX,
  )
  return ownBatch(db, batchId, buyerId)
}

/** Begins to fund every batch whose time has come and returns how many were processed (docs/specification/projects.md#scheduled-payment). */
export function fundScheduledBatches(database: Database, config: Config): Promise<number> {
  return processDueRows(database, dueBatches, (id) => fundScheduledBatch(database, config, id))
}

/**
 * Begins to fund a due batch by the use case of POST /batches/{id}/funding. A refusal ends its schedule and is kept with it;
 * another failure leaves it due, for the next run.
 */
async function fundScheduledBatch(database: Database, config: Config, id: string): Promise<boolean> {
  try {
    return await database.transaction(async (tx) => {
      const [due] = await claimBatch(tx, id)
      if (due === undefined) return false
      requireVerifiedEmail(config, { emailVerified: due.email_verified }, 'post')
      await beginFunding(tx, config, id, due.buyer_id, due, true)
      return true
    })
  } catch (error) {
    const refusal = asRefusal(error)
    if (STATUS_OF[refusal.code] >= 500) throw error
    return (await refuseBatch(database, id, JSON.stringify(refusal.stored))).refused
  }
}
