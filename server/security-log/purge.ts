import type { Database } from '#server/database/database.ts'
import { purgeBatch } from './queries.ts'

const BATCH = 5000

/** Deletes events that are older than the retention period. Returns how many. */
export async function purgeSecurityLog(database: Database): Promise<number> {
  let total = 0
  for (let deleted = BATCH; deleted === BATCH; total += deleted)
    deleted = (await purgeBatch(database, BATCH)).deleted
  return total
}
