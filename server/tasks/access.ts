import type { Ineligibility, TestBatch } from '#contract/audience.ts'
import type { Locale } from '#contract/locales.ts'
import type { StoredRefusal } from '#contract/refusals.en.ts'
import type { ManagedTask } from '#contract/tasks.ts'
import { type Db, PIPELINED, query } from '#server/database/database.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import { Refusal } from '#server/http/refusal.ts'
import { COLUMNS, JOINS, KINDS, type TaskRow } from './queries.ts'

const ineligibleRows = query<
  { id: string; refusal: StoredRefusal },
  [tasks: readonly string[], worker: string]
>(
  'ineligible_tasks',
  `select id, refusal from (
     select id, coalesce(
              requirement_refusal(tasks, $2),
              hold_refusal(tasks),
              case when batch_id is null then null
                   when has_low_score(id, $2) then '{"key": "score_too_low", "params": {}}'::jsonb
                   when slots_left > 0 and next_item(id, $2) is null then '{"key": "task_filled.items", "params": {}}' end) as refusal
       from tasks where id = any ($1::uuid[]) and buyer_id <> $2) as asked
    where refusal is not null`,
)
const REASONS: Partial<Record<string, Ineligibility['reason']>> = {
  score_too_low: 'score',
  'task_closed.held': 'held',
  'task_filled.items': 'no_item',
}

/** Returns the open tasks that a worker sees before others, as a favourite of their buyers: the newest, at most 50. */
export const tasksForFavourites = queryPackedRows<TaskRow, [worker: string]>(
  'tasks_for_favourites',
  `with page as materialized (
     select tasks.id from favourite_workers as favourite
      cross join lateral (
        select id from tasks where buyer_id = favourite.buyer_id and listed_from > clock_time() and listed_from < 'infinity'
           and closed_at is null and slots_left > 0 and held_at is null) as tasks
      where favourite.worker_id = $1
        and (select true from worker_blocks where buyer_id = favourite.buyer_id and worker_id = $1 and ended_at is null limit 1) is null
      order by tasks.id desc limit 50)
   select ${COLUMNS} from page join tasks on tasks.id = page.id ${JOINS} order by tasks.id desc`,
  KINDS,
)

const unlistedRows = query<
  { id: string; reason: NonNullable<ManagedTask['unlisted']> },
  [tasks: readonly string[]]
>(
  'unlisted_tasks',
  `select id, case when listed_from = 'infinity' then 'link' else 'favourites_first' end as reason
     from tasks where id = any ($1::uuid[]) and listed_from > clock_time()`,
)

/** Returns why tasks among these are in no public list. */
export async function unlistedTasks(db: Db, taskIds: readonly string[]) {
  const rows = await unlistedRows(db, taskIds)
  return new Map(rows.map(({ id, reason }) => [id, reason]))
}

type TestBatchRow = {
  qualification: string
  id: string
  title: string
  test_answers_min: number
  test_percent_min: number
}

const testBatchRows = query<TestBatchRow, [task: string, worker: string]>(
  'test_batches_of_task',
  `select wanted.name as qualification, test.id, test.title, test_answers_min, test_percent_min
     from task_requirements as required
     join qualifications as wanted on wanted.id = any (required.qualifications)
    cross join lateral (
      select tasks.id, tasks.title from batches join tasks on tasks.id = batches.task_id
       where batches.project_id = test_project and golden_items > 0 and tasks.id <> $1
         and closed_at is null and held_at is null and slots_left > 0 and closes_at > clock_time()
         and requirement_refusal(tasks, $2) is null and not has_low_score(tasks.id, $2) and next_item(tasks.id, $2) is not null
       order by batches.id desc limit 1) as test
    where required.task_id = $1
      and not exists (select from qualified_workers where qualification_id = wanted.id and worker_id = $2)
      and not exists (select from revoked_qualifications where qualification_id = wanted.id and worker_id = $2)
    order by lower(wanted.name)`,
  PIPELINED,
)

/**
 * Returns the batches in which a worker can earn the qualifications that a task requires and they lack: of each the newest
 * open one that has an item for them.
 */
export async function testBatchesOf(db: Db, taskId: string, workerId: string): Promise<TestBatch[]> {
  const rows = await testBatchRows(db, taskId, workerId)
  return rows.map(({ qualification, id, title, test_answers_min, test_percent_min }) => ({
    qualification,
    taskId: id,
    title,
    answersMin: test_answers_min,
    percentMin: test_percent_min,
  }))
}

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

export function presentIneligibility(refusal: StoredRefusal, locale: Locale): Ineligibility {
  return {
    reason: REASONS[refusal.key] ?? (refusal.key.replace('not_eligible.', '') as Ineligibility['reason']),
    message: Refusal.of(refusal).in(locale).message,
  }
}
