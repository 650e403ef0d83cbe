import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { inLockedTransaction } from './locked-transaction.ts'

const LOCK = 7_461_005

/**
 * Creates or upgrades the schema of the background jobs, as its owner; the running server may not. Concurrent starts run
 * it one after the other: pg-boss checks for its schema before it takes its own lock.
 */
export async function migrateJobSchema(owner: pg.Pool): Promise<void> {
  await inLockedTransaction(owner, LOCK, async (client) => {
    const boss = new PgBoss({
      db: { executeSql: (text, values) => client.query(text, values) },
      schema: 'jobs',
      supervise: false,
      schedule: false,
    })
    // start() throws; this reports index builds in the background, which the next start retries.
    boss.on('error', () => {})
    // The scripts of pg-boss commit, which ends this transaction and its lock as soon as the schema is there.
    await boss.start()
    await boss.stop({ graceful: false })
  })
}
