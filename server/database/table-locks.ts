import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { inLockedTransaction } from './locked-transaction.ts'

/** The lock is not available in time, or a deadlock: a later step needs a stronger lock, and a write waits for the first one. */
const TABLE_IN_USE = new Set<string | undefined>(['55P03', '40P01'])
/**
 * A step that waits for a table blocks all writes behind it, so it soon gives up and tries again. It may wait for several
 * tables one after the other, and holds the first ones meanwhile: together less than the timeout of a query.
 */
const TABLE_LOCK_TIMEOUT = '300ms'
const PAUSE_MS = 500

/** Tables stayed in use during all attempts. */
export class TablesInUse extends BadConfig {}

/**
 * Runs `work` in a transaction that holds the advisory lock `lock`, and again while a table that it needs is in use.
 * @throws TablesInUse after `attempts`.
 */
export async function whenTablesAreFree<Result>(
  pool: pg.Pool,
  lock: number,
  attempts: number,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inLockedTransaction(pool, lock, async (client) => {
        await client.query(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`)
        return work(client)
      })
    } catch (error) {
      const { code, message } = error as pg.DatabaseError
      if (!TABLE_IN_USE.has(code)) throw error
      if (attempt === attempts)
        throw new TablesInUse(
          `The tables could not be changed: one is locked by a long transaction (pg_stat_activity shows it; ${message}). Try again when it has ended.`,
          { cause: error },
        )
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}
