import { type Database, query } from '#server/database/database.ts'

/** What is read from the provider from time to time. */
type Synced = 'card_searched_until' | 'card_transactions_until'

/** How far back the first run reads. */
const FIRST_DAYS = 90

const readTime = query<{ time: string }, [name: Synced]>(
  'card_sync_time',
  `select value #>> '{}' as time from installation where name = $1`,
)
/** Stores when a run began, after it has read everything. */
export const storeSyncTime = query<never, [name: Synced, time: string]>(
  'card_sync_time_store',
  `insert into installation (name, value) values ($1, to_jsonb($2::text))
   on conflict (name) do update set value = excluded.value`,
)

/** Returns the time since which a run reads: `overlapDays` before the last one began, or 90 days ago. */
export async function syncSince(database: Database, name: Synced, overlapDays: number): Promise<string> {
  const [last] = await readTime(database, name)
  const days = last === undefined ? FIRST_DAYS : overlapDays
  const from = last === undefined ? Date.now() : Date.parse(last.time)
  return new Date(from - days * 86_400_000).toISOString()
}
