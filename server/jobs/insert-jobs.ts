import { createHash } from 'node:crypto'
import type { JobInsert, PgBoss } from 'pg-boss'
import { MANY_ROWS, type Tx } from '#server/database/database.ts'

/** Inserts jobs in the caller's transaction: they run if and only if it commits. */
export async function insertJobs(boss: PgBoss, tx: Tx, queue: string, jobs: JobInsert[]): Promise<void> {
  if (jobs.length === 0) return
  const db = {
    // Transactions run named statements, so pg-boss's statements are named by their hash.
    executeSql: async (sql: string, values: unknown[] = []) => ({
      rows: await tx.run(
        { name: `jobs_${createHash('sha1').update(sql).digest('hex')}`, sql, ...MANY_ROWS },
        values,
      ),
    }),
  }
  await boss.insert(queue, jobs, { db })
}
