import type pg from 'pg'
import { PgBoss } from 'pg-boss'

const LOCK = 7_461_005

/**
 * Creates or upgrades the schema of the background jobs, as its owner; the running server may not. Concurrent starts run
 * it one after the other: pg-boss checks for its schema before it takes its own lock.
 */
export async function migrateJobSchema(owner: pg.Pool): Promise<void> {
  const client = await owner.connect()
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: 'jobs',
    supervise: false,
    schedule: false,
  })
  // start() throws; this reports index builds in the background, which the next start retries.
  boss.on('error', () => {})
  try {
    // The scripts of pg-boss commit, which ends this transaction and its lock as soon as the schema is there.
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    await boss.start()
    await boss.stop({ graceful: false })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
