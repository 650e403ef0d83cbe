import type { Database } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { purgeBatch } from './queries.ts'

const BATCH = 5000

/** Deletes events that are older than the retention period. Returns how many. */
export async function purgeSecurityLog(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await purgeBatch(database, batch)).deleted)
}
