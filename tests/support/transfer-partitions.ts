import type pg from 'pg'
import type { Database } from '#server/database/database.ts'
import { partitionsOf, startPartition } from '#server/database/partitions.ts'
import type { TestUser } from './factories.ts'

const TABLE = 'ledger_transfers'

/** What tests of transfers in partitions do with a database. */
export function transferPartitions(db: { readonly database: Database; readonly owner: pg.Pool }) {
  const newest = async () => (await partitionsOf(db.owner, TABLE)).at(-1)?.name ?? ''
  const startNext = async (margin: number) => startPartition(db.owner, await newest(), margin)
  const rows = async (text: string, values: unknown[] = []) => (await db.owner.query(text, values)).rows
  return {
    newest,
    startNext,
    rows,
    /** Makes a transfer. Returns false for a repetition. */
    async transfer(ref: string, from: TestUser, to: TestUser, amount: number, kind = 'swept_to_platform') {
      const { rows } = await db.database.pool.query<{ is_first: boolean }>(
        'select transfer($1, $2, $3, $4, $5) as is_first',
        [kind, ref, from.accountId, to.accountId, amount],
      )
      return rows[0]?.is_first
    },
    /** Starts the next partition, `margin` ids above the newest one, so that the next transfer gets an id `before` ids below its bound. */
    async approachNextPartition(before: number, margin = 1000): Promise<void> {
      const partition = await newest()
      await startNext(margin)
      const bound = (await partitionsOf(db.owner, TABLE)).find(({ name }) => name === partition)?.to
      await db.owner.query(`select setval(pg_get_serial_sequence('${TABLE}', 'id'), $1, false)`, [
        Number(bound) - before,
      ])
    },
    /** Returns the number of partitions that have transfers of a user. */
    async partitionsOfAccount({ accountId }: TestUser): Promise<number> {
      const [row] = await rows(
        `select count(distinct tableoid)::int as count from ${TABLE} where $1 in (debit, credit)`,
        [accountId],
      )
      return row.count
    },
  }
}
