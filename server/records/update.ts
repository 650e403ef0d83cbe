import { type Database, query, queryOne } from '#server/database/database.ts'

const readWatermark = queryOne<{ up_to: number }, []>(
  'records_watermark',
  'select up_to from records_watermark',
)
const readSubjects = query<{ kind: 'buyer' | 'worker' | 'task'; id: string }, [from: number, to: number]>(
  'records_subjects',
  `with changed as materialized (
     select distinct submissions.buyer_id, submissions.worker_id, submissions.task_id
       from notifications join submissions on submissions.id = notifications.ref
      where notifications.id > $1 and notifications.id <= $2)
   select 'buyer' as kind, buyer_id as id from changed
   union select 'worker', worker_id from changed
   union select 'task', task_id from changed`,
)
/** The notification up to which a run reads, and the one up to which every transaction has surely ended. */
const readRange = queryOne<{ last: number; settled: number }, [from: number, limit: number]>(
  'records_range',
  `with page as materialized (
     select id, created_at from notifications where id > $1 order by id limit $2)
   select coalesce(max(id), $1) as last,
          coalesce(max(id) filter (where created_at < clock_time() - interval '1 minute'), $1) as settled from page`,
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
const updaters = {
  buyer: query<never, [id: string]>('update_buyer_record', 'select update_buyer_record($1)'),
  worker: query<never, [id: string]>('update_worker_record', 'select update_worker_record($1)'),
  task: query<never, [id: string]>('update_task_record', 'select update_task_record($1)'),
}

const BATCH_SIZE = 2000
const STALE_MAX = 200

/**
 * Updates the records of the buyers, workers and tasks whose submissions notifications were about since the last run, and
 * of buyers whose record is a day old, because it covers 90 days. Returns the number of records.
 */
export async function updateRecords(database: Database): Promise<number> {
  let { up_to: from } = await readWatermark(database)
  let updated = 0
  for (;;) {
    const { last, settled } = await readRange(database, from, BATCH_SIZE)
    if (last === from) break
    for (const { kind, id } of await readSubjects(database, from, last)) {
      await updaters[kind](database, id)
      updated++
    }
    await moveWatermark(database, settled)
    from = last
  }
  for (const { id } of await readStaleBuyers(database, STALE_MAX)) {
    await updaters.buyer(database, id)
    updated++
  }
  return updated
}
