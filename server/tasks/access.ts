import type { Ineligibility } from '#contract/audience.ts'
import type { Locale } from '#contract/locales.ts'
import type { StoredRefusal } from '#contract/refusals.en.ts'
import { type Db, query } from '#server/database/database.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import { Refusal } from '#server/http/refusal.ts'
import { COLUMNS, JOINS, KINDS, type TaskRow } from './queries.ts'

const ineligibleRows = query<
  { id: string; refusal: StoredRefusal },
  [tasks: readonly string[], worker: string]
>(
  'ineligible_tasks',
  `select id, refusal from (
     select id, requirement_refusal(tasks, $2) as refusal from tasks
      where id = any ($1::uuid[]) and buyer_id <> $2) as asked
    where refusal is not null`,
)
const tasksForFavouritesRows = queryPackedRows<TaskRow, [worker: string]>(
  'tasks_for_favourites',
  `with page as materialized (
     select tasks.id from favourite_workers as favourite
      cross join lateral (
        select id from tasks where buyer_id = favourite.buyer_id and listed_from > clock_time() and listed_from < 'infinity'
           and closed_at is null and slots_left > 0 and held_at is null) as tasks
      where favourite.worker_id = $1 order by tasks.id desc limit 50)
   select ${COLUMNS} from page join tasks on tasks.id = page.id ${JOINS} order by tasks.id desc`,
  KINDS,
)

/** Returns the tasks among these that a worker may not work on, with the reason in their language. */
export async function ineligibleTasks(
  db: Db,
  workerId: string,
  taskIds: readonly string[],
  locale: Locale,
): Promise<(Ineligibility & { taskId: string })[]> {
  const rows = await ineligibleRows(db, taskIds, workerId)
  return rows.map(({ id, refusal }) => ({ taskId: id, ...presentIneligibility(refusal, locale) }))
}

/** Returns the open tasks that a worker sees before others, as a favourite of their buyers. */
export const tasksForFavourites = (db: Db, workerId: string): Promise<TaskRow[]> =>
  tasksForFavouritesRows(db, workerId)

export function presentIneligibility(refusal: StoredRefusal, locale: Locale): Ineligibility {
  return {
    reason: refusal.key.replace('not_eligible.', '') as Ineligibility['reason'],
    message: Refusal.of(refusal).in(locale).message,
  }
}
