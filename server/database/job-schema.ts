import type pg from 'pg'
import { PgBoss } from 'pg-boss'

/** Creates or upgrades the schema of the background jobs, as its owner; the running server may not. */
export async function migrateJobSchema(owner: pg.Pool): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(text, values) },
    schema: 'jobs',
    supervise: false,
    schedule: false,
  })
  // start() throws; this reports index builds in the background, which the next start retries.
  boss.on('error', () => {})
  await boss.start()
  await boss.stop({ graceful: false })
}
