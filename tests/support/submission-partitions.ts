import type pg from 'pg'
import { v7 } from 'uuid'
import type { Database } from '#server/database/database.ts'
import { partitionsOf, startPartition } from '#server/database/partitions.ts'
import type { TestUser } from './factories.ts'

const TABLE = 'submissions'
const REVIEW = '5 days'

/** What tests of submissions in partitions do with a database. Their ids have a time of its own, which they can move behind a bound. */
export function submissionPartitions(db: { readonly database: Database; readonly owner: pg.Pool }) {
  let time = Date.now()
  const nextId = () => v7({ msecs: time++ })
  const newest = async () => (await partitionsOf(db.owner, TABLE)).at(-1)?.name ?? ''
  const startNext = async (margin: number) => startPartition(db.owner, await newest(), margin)
  const rows = async (text: string, values: unknown[] = []) => (await db.owner.query(text, values)).rows
  return {
    newest,
    startNext,
    rows,
    nextId,
    /** Submits work on a plain task. Returns its id. */
    async submit(taskId: string, worker: TestUser): Promise<string> {
      const id = nextId()
      await db.database.pool.query('select submit_work($1, $2, $3, $4, null, null, null, $5)', [
        id,
        taskId,
        worker.id,
        'Here is my work.',
        REVIEW,
      ])
      return id
    },
    /** Starts the next partition, and moves the time of ids so that `before` of the next ones are below its bound. */
    async approachNextPartition(before: number, margin = 60_000): Promise<void> {
      const partition = await newest()
      await startNext(margin)
      const bound = (await partitionsOf(db.owner, TABLE)).find(({ name }) => name === partition)?.to ?? ''
      time = Number.parseInt(bound.replace('-', '').slice(0, 12), 16) - before
    },
    /** Returns the partition of a submission. */
    async partitionOf(id: string): Promise<string> {
      const [row] = await rows(`select tableoid::regclass::text as name from ${TABLE} where id = $1`, [id])
      return row.name
    },
  }
}
