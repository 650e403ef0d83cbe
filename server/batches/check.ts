import { createHash } from 'node:crypto'
import { BATCH_PICTURES_MAX, UNPAID_BATCH_DAYS } from '#contract/batches.ts'
import type { ProjectContent } from '#contract/projects.ts'
import { type Database, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'
import { columnsOf } from '#server/projects/present.ts'
import { type CheckedFile, checkRows } from './check-rows.ts'
import { CONTENT, chunksOf } from './queries.ts'
import { readRows } from './read-rows.ts'

const dueChecks = query<{ id: string }, [limit: number]>(
  'batches_to_check',
  `select id from batches where state = 'checking' and pictures = 0 order by id limit $1`,
)
const contentOf = query<{ content: ProjectContent }, [batch: string]>(
  'content_of_batch_to_check',
  `select ${CONTENT} from batches where id = $1 and state = 'checking' and pictures = 0`,
)
const setRowsRead = query<
  never,
  [batch: string, rows: number, pictures: readonly string[], toRequest: readonly string[], after: number]
>(
  'set_batch_rows_read',
  `with being_read as (update batches set rows_read = $2 where id = $1 and state = 'checking' and pictures = 0 returning id),
   added as (
     insert into batch_pictures (batch_id, number, url)
     select id, $5 + number, url from being_read, unnest($4::text[]) with ordinality as requested(url, number)
     on conflict do nothing)
   select add_uploaded_pictures(id, $3) from being_read`,
)
// A file with errors has to be uploaded again, with all its pictures.
const endCheck = query<{ id: string }, [batch: string, checked: string, pictures: number]>(
  'end_batch_check',
  `with ended as (
     update batches
        set state = case when $3 > 0 then 'checking' else 'checked' end, checked_at = case when $3 = 0 then clock_time() end,
            pictures = $3, rows_read = checked.items, items = checked.items, golden_items = checked.golden,
            columns = checked.columns, encoding = checked.encoding, separator = checked.separator, errors = checked.errors,
            warnings = checked.warnings, problems = checked.problems, samples = checked.samples
       from jsonb_to_record($2::jsonb) as checked(
              items int, golden int, columns text[], encoding text, separator text, errors int, warnings int, problems jsonb, samples jsonb)
      where id = $1 and state = 'checking' and pictures = 0 returning id, batches.samples),
   not_requested as (delete from batch_pictures where batch_id = $1 and $3 = 0 and exists (select from ended))
   select id, add_item_pictures(id, samples) from ended`,
)
const deleteUnpaid = query<{ id: string }, [days: number, limit: number]>(
  'delete_unpaid_batches',
  `delete from batches where id = any (array(
     select id from batches
      where task_id is null and state <> 'funding' and post_at is null
        and created_at < clock_time() - make_interval(days => $1)
        and (not_posted_at is null or not_posted_at < clock_time() - make_interval(days => $1))
      order by created_at limit $2 for update skip locked))
   returning id`,
)

/**
 * Reads the rows of the files whose upload has ended. Returns their number. A check that is interrupted starts again. Pictures of files
 * without errors are checked after it (check-pictures.ts).
 */
export function checkDueBatches(database: Database): Promise<number> {
  return processDueRows(database, dueChecks, (id) => checkBatch(database, id))
}

/** Checks one file. Returns false when the batch was cancelled or another instance has checked it. */
async function checkBatch(database: Database, id: string): Promise<boolean> {
  const [batch] = await contentOf(database, id)
  if (batch === undefined) return false
  const file = await readRows(chunksOf(database, id), columnsOf(batch.content))
  const known = new Set<string>()
  const checked: CheckedFile = await checkRows(file, batch.content, async (rows, pictures) => {
    const before = known.size
    const fresh = pictures.filter((url) => {
      const hash = hashOf(url)
      const isNew = !known.has(hash)
      known.add(hash)
      return isNew
    })
    await setRowsRead(
      database,
      id,
      rows,
      pictures,
      fresh.slice(0, Math.max(0, BATCH_PICTURES_MAX - before)),
      before,
    )
  })
  const pictures = checked.errors === 0 ? known.size : 0
  return (await endCheck(database, id, JSON.stringify(checked), pictures)).length > 0
}

/** Returns a short text for a URL, of which a file has hundreds of thousands. */
const hashOf = (url: string) => createHash('sha1').update(url).digest('base64')

/** Deletes batches that were not paid in time, with their files. Returns their number. */
export function purgeUnpaidBatches(database: Database): Promise<number> {
  // A batch that was refused its funding has up to 100,000 items.
  return deleteInBatches(2, async (limit) => (await deleteUnpaid(database, UNPAID_BATCH_DAYS, limit)).length)
}
