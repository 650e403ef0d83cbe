import { type Database, query } from '#server/database/database.ts'

const BATCH = 5000

const cleanKeys = query<{ key: string }, [batch: number]>(
  'idempotency_clean',
  `delete from idempotency_keys where (user_id, key) in (
     select user_id, key from idempotency_keys where created_at < clock_time() - interval '7 days'
      order by created_at limit $1 for update skip locked)
   returning key`,
)

/** Forgets what keyed writes answered more than a week ago. Answers how many. */
export async function purgeIdempotencyKeys(database: Database): Promise<number> {
  let cleaned = 0
  for (let rows = BATCH; rows === BATCH; cleaned += rows) rows = (await cleanKeys(database, BATCH)).length
  return cleaned
}
