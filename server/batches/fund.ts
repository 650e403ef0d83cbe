import { v7 as newId } from 'uuid'
import { SLOTS_MAX } from '#contract/product.ts'
import type { ProjectContent } from '#contract/projects.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, MANY_ROWS, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import { asRefusal } from '#server/http/errors.ts'
import { Refusal } from '#server/http/refusal.ts'
import { columnsOf } from '#server/projects/present.ts'
import { type FileItem, itemOf, spreadGolden } from './golden.ts'
import { type BatchRow, CONTENT, chunksOf, ownBatch } from './queries.ts'
import { readRows } from './read-rows.ts'

/** The items that are written in one transaction. */
const ITEMS_PER_WRITE = 1_000

const beginFundingStatement = query<
  never,
  [
    batch: string,
    buyer: string,
    day: string,
    zone: string,
    total: number,
    feePercent: number,
    slotsMax: number,
    scheduled: boolean,
  ]
>('begin_batch_funding', 'select begin_batch_funding($1, $2, $3, $4, $5, $6, $7, $8)')
const dueFundings = query<{ id: string }, [limit: number]>(
  'batches_to_fund',
  `select id from batches where state = 'funding' order by id limit $1`,
)
type FundingRow = { content: ProjectContent; items_written: number; items: number; golden_items: number }

const fundingOf = query<FundingRow, [batch: string]>(
  'funding_of_batch',
  `select ${CONTENT}, items_written, items, golden_items from batches where id = $1 and state = 'funding'`,
)
const writeItems = queryOne<
  { written: boolean },
  [batch: string, written: number, inputs: string, answersWanted: number, golden: string]
>('write_batch_items', 'select write_batch_items($1, $2, $3, $4, $5) as written', MANY_ROWS)
const openBatchStatement = queryOne<
  { opened: boolean },
  [batch: string, task: string, zone: string, feePercent: number]
>('open_batch', 'select open_batch($1, $2, $3, $4) as opened', MANY_ROWS)
const checkAgain = queryOne<{ begun: boolean }, [batch: string, items: number, refusal: string]>(
  'check_batch_again',
  'select check_batch_again($1, $2, $3) as begun',
  MANY_ROWS,
)
const refuseFunding = query<never, [batch: string, refusal: string]>(
  'refuse_batch_funding',
  'select refuse_batch_funding($1, $2)',
)

/**
 * Begins to fund a checked batch for its cost, which the buyer has seen, now or as it was scheduled. Returns it.
 * @throws Refusal `not_found`, `state_conflict`, `invalid_fields` for another cost, `deadline_passed`, `account_frozen`.
 */
export async function beginFunding(
  db: Db,
  config: Config,
  batchId: string,
  buyerId: string,
  { completion_date, total }: { completion_date: string; total: number },
  isScheduled = false,
): Promise<BatchRow> {
  await beginFundingStatement(
    db,
    batchId,
    buyerId,
    completion_date,
    config.timeZone,
    total,
    config.taskFeePercent,
    SLOTS_MAX,
    isScheduled,
  )
  return ownBatch(db, batchId, buyerId)
}

/** Writes the items of batches that are being funded, and opens them. Returns the number of batches that ended. */
export function fundDueBatches(database: Database, config: Config): Promise<number> {
  return processDueRows(database, dueFundings, (id) => fundBatch(database, config, id))
}

/** Funds a batch, continuing an interrupted funding. Returns false when another instance was first. */
async function fundBatch(database: Database, config: Config, id: string): Promise<boolean> {
  const [funding] = await fundingOf(database, id)
  if (funding === undefined) return false
  const { items_written, items } = funding
  const filled = items_written === items ? 'all' : await fillItems(database, id, funding)
  if (filled === 'stopped') return false
  if (filled === 'other rows') {
    const refusal = new Refusal('invalid_fields.batch_cost')
    return (await checkAgain(database, id, items, JSON.stringify(refusal.stored))).begun
  }
  try {
    const { opened } = await openBatchStatement(database, id, newId(), config.timeZone, config.taskFeePercent)
    return opened
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'internal' || refusal.code === 'unavailable') throw error
    await refuseFunding(database, id, JSON.stringify(refusal.stored))
    return true
  }
}

/**
 * Writes the items that are missing. Returns `stopped` when another instance writes too, or the batch was cancelled, and `other
 * rows` when the file does not have the rows that its check found: a release before this one may have read it differently.
 */
async function fillItems(
  database: Database,
  id: string,
  { content, items_written, items: total, golden_items }: FundingRow,
): Promise<'all' | 'stopped' | 'other rows'> {
  async function* read(): AsyncGenerator<FileItem> {
    const { columns, rows } = await readRows(chunksOf(database, id), columnsOf(content))
    for await (const { values, problems } of rows) {
      if (problems.length > 0) return
      yield itemOf(columns, values, content.form)
    }
  }
  let written = items_written
  let rowsRead = 0
  let items: FileItem[] = []
  const write = async () => {
    const inputs = JSON.stringify(items.map(({ input }) => input))
    const golden = JSON.stringify(items.map((item) => item.golden))
    const result = await writeItems(database, id, written, inputs, content.workersPerItem, golden)
    written += items.length
    items = []
    return result.written
  }
  for await (const item of golden_items === 0
    ? read()
    : spreadGolden(read, id, { total, golden: golden_items })) {
    rowsRead++
    if (rowsRead <= items_written) continue
    if (rowsRead > total) return 'other rows'
    items.push(item)
    if (items.length === ITEMS_PER_WRITE && !(await write())) return 'stopped'
  }
  if (rowsRead < total) return 'other rows'
  return items.length === 0 || (await write()) ? 'all' : 'stopped'
}
