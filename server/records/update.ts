import { type Database, MANY_ROWS, query, queryOne } from '#server/database/database.ts'

const readWatermark = queryOne<{ up_to: number }, []>(
  'records_watermark',
  'select up_to from records_watermark',
)
type Subjects = { buyers: string[]; workers: string[]; tasks: string[] }

const readSubjects = queryOne<Subjects, [from: number, to: number]>(
  'records_subjects',
  `select coalesce(array_agg(distinct submissions.buyer_id), '{}') as buyers,
          coalesce(array_agg(distinct submissions.worker_id), '{}') as workers,
          coalesce(array_agg(distinct submissions.task_id) filter (where submissions.reserved_at is not null), '{}') as tasks
     from notifications join submissions on submissions.id = notifications.ref
    where notifications.id > $1 and notifications.id <= $2`,
  MANY_ROWS,
)
type Changes = Subjects & { changes: number[] }

/** Returns the oldest changes of work on items; their notifications are about batches. */
const readChanges = queryOne<Changes, [limit: number]>(
  'records_changes',
  `select coalesce(array_agg(distinct buyer_id), '{}') as buyers, coalesce(array_agg(distinct worker_id), '{}') as workers,
          coalesce(array_agg(distinct task_id), '{}') as tasks, coalesce(array_agg(id), '{}') as changes
     from (select * from work_changes order by id limit $1) as oldest`,
  MANY_ROWS,
)
const deleteChanges = query<never, [ids: readonly number[]]>(
  'records_changes_done',
  'delete from work_changes where id = any ($1::bigint[])',
  MANY_ROWS,
)
/**
 * Returns the notification up to which a run reads, and the one up to which transactions have ended, except for one that
 * outlasts its request: requests wait a minute at most.
 */
const readRange = queryOne<{ last: number; settled: number }, [from: number, limit: number]>(
  'records_range',
  `with page as materialized (
     select id, created_at from notifications where id > $1 order by id limit $2)
   select coalesce(max(id), $1) as last,
          coalesce(max(id) filter (where created_at < clock_time() - interval '2 minutes'), $1) as settled from page`,
)
const moveWatermark = query<never, [upTo: number]>(
  'records_watermark_move',
  'update records_watermark set up_to = $1 where up_to < $1',
)
const readStaleBuyers = query<{ id: string }, [limit: number]>(
  'records_stale',
  `select buyer_id as id from buyer_records where updated_at < clock_time() - interval '1 day'
    order by updated_at limit $1`,
)
const declareUpdate = (name: string, sql: string) =>
  query<never, [ids: readonly string[]]>(name, sql, MANY_ROWS)
const updateBuyers = declareUpdate('update_buyer_records', 'select update_buyer_records($1)')
const updateWorkers = declareUpdate('update_worker_records', 'select update_worker_records($1)')
const updateTasks = declareUpdate('update_task_records', 'select update_task_records($1)')
const updateBuyerWorkers = query<never, [buyers: readonly string[], workers: readonly string[]]>(
  'update_buyer_workers',
  'select update_buyer_workers($1, $2)',
  MANY_ROWS,
)

const BATCH_SIZE = 10_000
const STALE_MAX = 200
/** Each of them may have a hundred thousand submissions, and a statement that times out is repeated by every later run. */
const SUBJECTS_PER_STATEMENT = 50

/**
 * Updates the records of the buyers, workers and tasks whose submissions notifications were about since the last run, those of
 * changed work on items, and those of buyers whose record is a day old, because it covers 90 days. Returns the number of records.
 */
export async function updateRecords(database: Database): Promise<number> {
  let { up_to: from } = await readWatermark(database)
  let updated = 0
  for (;;) {
    const { last, settled } = await readRange(database, from, BATCH_SIZE)
    if (last === from) break
    const { buyers, workers, tasks } = await readSubjects(database, from, last)
    updated += await updateSubjects(database, { buyers, workers, tasks })
    await moveWatermark(database, settled)
    from = last
  }
  for (;;) {
    const { changes, ...subjects } = await readChanges(database, BATCH_SIZE)
    if (changes.length === 0) break
    updated += await updateSubjects(database, subjects)
    // After the update: a change that is committed meanwhile has a row of its own.
    await deleteChanges(database, changes)
  }
  const stale = (await readStaleBuyers(database, STALE_MAX)).map(({ id }) => id)
  await inChunks(stale, (chunk) => updateBuyers(database, chunk))
  return updated + stale.length
}

async function updateSubjects(database: Database, { buyers, workers, tasks }: Subjects): Promise<number> {
  await inChunks(buyers, (chunk) => updateBuyers(database, chunk))
  await inChunks(workers, (chunk) => updateWorkers(database, chunk))
  await inChunks(workers, (chunk) => updateBuyerWorkers(database, buyers, chunk))
  await inChunks(tasks, (chunk) => updateTasks(database, chunk))
  return buyers.length + workers.length + tasks.length
}

async function inChunks(
  ids: readonly string[],
  update: (chunk: string[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += SUBJECTS_PER_STATEMENT)
    await update(ids.slice(start, start + SUBJECTS_PER_STATEMENT))
}
