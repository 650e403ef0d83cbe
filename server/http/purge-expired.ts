import { type Database, query } from '#server/database/database.ts'

const BATCH = 5000

const deleteKeys = query<{ key: string }, [batch: number]>(
  'purge_idempotency_keys',
  `delete from idempotency_keys where (user_id, key) in (
     select user_id, key from idempotency_keys where created_at < clock_time() - interval '7 days'
      order by created_at limit $1 for update skip locked)
   returning key`,
)
const deleteRateLimits = query<{ key: string }, [batch: number]>(
  'purge_rate_limits',
  `delete from rate_limits where key in (select key from rate_limits
     where resets_at < now() order by resets_at limit $1) and resets_at < now() returning key`,
)

/** Deletes idempotency keys older than a week. Returns how many. */
export function purgeIdempotencyKeys(database: Database): Promise<number> {
  return inBatches(() => deleteKeys(database, BATCH))
}

/** Deletes rate limits whose window has ended. Returns how many. */
export function purgeRateLimits(database: Database): Promise<number> {
  return inBatches(() => deleteRateLimits(database, BATCH))
}

async function inBatches(deleteBatch: () => Promise<unknown[]>): Promise<number> {
  let total = 0
  for (let deleted = BATCH; deleted === BATCH; total += deleted) deleted = (await deleteBatch()).length
  return total
}
