import { type Database, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'

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

const deleteRecentWrites = query<{ user_id: string }, [batch: number]>(
  'purge_recent_writes',
  `delete from recent_writes where user_id in (select user_id from recent_writes where until < now() limit $1)
     and until < now() returning user_id`,
)

/** Deletes idempotency keys older than a week. Returns how many. */
export function purgeIdempotencyKeys(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await deleteKeys(database, batch)).length)
}

/** Deletes rate limits whose window has ended. Returns how many. */
export function purgeRateLimits(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await deleteRateLimits(database, batch)).length)
}

/** Deletes the marks of users who have not written for some seconds. Returns how many. */
export function purgeRecentWrites(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await deleteRecentWrites(database, batch)).length)
}
