import type { BatchProblemKind } from '#contract/batch-problems.ts'
import type { BatchState } from '#contract/batches.ts'
import type { ProjectContent } from '#contract/projects.ts'
import type { StoredRefusal } from '#contract/refusals.en.ts'
import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { Refusal } from '#server/http/refusal.ts'

export type BatchRow = {
  id: string
  project_id: string
  project_version: number
  content: ProjectContent
  file_name: string
  state: BatchState
  bytes: number
  rows_read: number
  pictures: number
  pictures_checked: number
  items: number
  golden_items: number
  columns: string[]
  encoding: string | null
  separator: string | null
  errors: number
  warnings: number
  created_at: string
  checked_at: string | null
  items_written: number
  funding_refusal: StoredRefusal | null
  task_id: string | null
  added_workers: number
  raising_workers: number
  raised_items: number
  agreed_total: number | null
  post_at: string | null
  completion_date: string | null
  task_completion_date: string | null
  is_closed: boolean | null
}

/** A problem as it is stored; `parameter` completes its sentence. */
export type StoredProblem = {
  row: number | null
  column: string | null
  kind: BatchProblemKind
  parameter: string
}

// A subquery: the version of one batch by its key, whatever the planner knows about the tables.
export const CONTENT = `(select content from project_versions
  where project_versions.project_id = batches.project_id and version = project_version) as content`

const COLUMNS = `batches.id, batches.project_id, project_version, ${CONTENT}, file_name, state, bytes, rows_read, pictures, pictures_checked,
  items, golden_items, columns, encoding, separator, errors, warnings, batches.created_at, checked_at, items_written, funding_refusal, task_id,
  added_workers, raising_workers, raised_items, agreed_total::float8 as agreed_total, post_at, completion_date::text,
  (select completion_date::text from tasks where tasks.id = task_id) as task_completion_date,
  (select closed_at is not null from tasks where tasks.id = task_id) as is_closed`

export const batchesOf = query<
  BatchRow,
  [buyer: string, project: string | null, task: string | null, before: string | null, limit: number]
>(
  'batches_of_buyer',
  `select ${COLUMNS} from batches
    where buyer_id = $1 and ($2::uuid is null or batches.project_id = $2) and ($3::uuid is null or batches.task_id = $3)
      and batches.id < ${beforeCursor('$4', 'uuid')}
    order by batches.id desc limit $5`,
)

const ownBatchRow = query<BatchRow, [id: string, buyer: string]>(
  'own_batch',
  `select ${COLUMNS} from batches where batches.id = $1 and buyer_id = $2`,
)

/**
 * Returns a buyer's batch by its id.
 * @throws Refusal `not_found` for a batch that does not exist or is another buyer's.
 */
export async function ownBatch(db: Db, id: string, buyerId: string): Promise<BatchRow> {
  const [row] = await ownBatchRow(db, id, buyerId)
  if (row === undefined) throw new Refusal('not_found.batch')
  return row
}

const ownReportRow = query<
  { problems: StoredProblem[]; samples: Record<string, string>[]; content: ProjectContent },
  [id: string, buyer: string]
>(
  'own_batch_report',
  `select problems, samples, ${CONTENT} from batches where batches.id = $1 and buyer_id = $2`,
  PIPELINED,
)

/** Returns what the check of a batch found, with its first items. @throws Refusal `not_found`. */
export async function ownReport(db: Db, id: string, buyerId: string) {
  const [row] = await ownReportRow(db, id, buyerId)
  if (row === undefined) throw new Refusal('not_found.batch')
  return row
}

const chunkOf = query<{ content: Buffer }, [batch: string, number: number]>(
  'batch_chunk',
  'select content from batch_chunks where batch_id = $1 and number = $2',
)

/** Reads the uploaded file of a batch, chunk by chunk, so that it is never in memory as a whole. */
export async function* chunksOf(db: Db, batchId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const [chunk] = await chunkOf(db, batchId, number)
    if (chunk === undefined) return
    yield chunk.content
  }
}
