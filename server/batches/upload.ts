import { v7 as newId } from 'uuid'
import { UNPAID_BATCHES_MAX } from '#contract/batches.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { type BatchRow, ownBatch } from './queries.ts'

const createStatement = query<
  never,
  [id: string, project: string, buyer: string, fileName: string, max: number]
>('create_batch', 'select create_batch($1, $2, $3, $4, $5)')
const putChunk = queryOne<{ bytes: number }, [batch: string, buyer: string, number: number, content: Buffer]>(
  'put_batch_chunk',
  'select put_batch_chunk($1, $2, $3, $4) as bytes',
)
const beginCheckStatement = query<never, [batch: string, buyer: string, bytes: number]>(
  'begin_batch_check',
  'select begin_batch_check($1, $2, $3)',
)
const cancelStatement = query<never, [batch: string, buyer: string]>(
  'cancel_batch',
  'select cancel_batch($1, $2)',
)

/**
 * Creates an empty batch of a buyer's project for a file of this name, and returns its row.
 * @throws Refusal `not_found` for another buyer's project, `state_conflict` for an archived one or too many batches.
 */
export async function createBatch(
  db: Db,
  projectId: string,
  buyerId: string,
  fileName: string,
): Promise<BatchRow> {
  const id = newId()
  await createStatement(db, id, projectId, buyerId, fileName, UNPAID_BATCHES_MAX)
  return ownBatch(db, id, buyerId)
}

/**
 * Stores a chunk of a file. Returns the bytes of the file that are stored.
 * @throws Refusal `not_found`, `state_conflict` when the upload has ended or an earlier chunk is missing.
 */
export async function storeChunk(
  db: Db,
  batchId: string,
  buyerId: string,
  number: number,
  content: Buffer,
): Promise<number> {
  const { bytes } = await putChunk(db, batchId, buyerId, number, content)
  return bytes
}

/** Ends an upload. @throws Refusal `not_found`, `state_conflict` for another size or state. */
export async function beginCheck(db: Db, batchId: string, buyerId: string, bytes: number): Promise<BatchRow> {
  await beginCheckStatement(db, batchId, buyerId, bytes)
  return ownBatch(db, batchId, buyerId)
}

/**
 * Cancels a buyer's batch that is not paid, and returns its row.
 * @throws Refusal `not_found`, `state_conflict` for a batch that is paid.
 */
export async function cancelBatch(db: Db, batchId: string, buyerId: string): Promise<BatchRow> {
  await cancelStatement(db, batchId, buyerId)
  return ownBatch(db, batchId, buyerId)
}
