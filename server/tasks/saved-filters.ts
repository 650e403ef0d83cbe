import type { SavedTaskFilter } from '#contract/task-filters.ts'
import { type Db, query } from '#server/database/database.ts'

const readFilters = query<{ filters: SavedTaskFilter[] }, [user: string]>(
  'task_filters',
  'select filters from task_filters where user_id = $1',
)
const upsertFilters = query<never, [user: string, filters: string]>(
  'task_filters_upsert',
  `insert into task_filters (user_id, filters) select id, $2::jsonb from users where id = $1 and deleted_at is null for share
   on conflict (user_id) do update set filters = excluded.filters, changed_at = clock_time()`,
)

/** Returns a user's saved filters in their own order. */
export async function savedFiltersOf(db: Db, userId: string): Promise<SavedTaskFilter[]> {
  const [row] = await readFilters(db, userId)
  return row?.filters ?? []
}

/** Replaces a user's saved filters. A user who is being deleted keeps none. */
export async function saveFilters(db: Db, userId: string, filters: SavedTaskFilter[]): Promise<void> {
  await upsertFilters(db, userId, JSON.stringify(filters))
}
