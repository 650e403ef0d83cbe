import { beforeCursor } from '#server/database/keyset.ts'
import type { Scope } from './list-query.ts'

type FirstTasks = {
  /** Beside `id` and `slots_left`. */
  columns: string
  scope: Scope
  /** The condition that puts a task of the scope on the list. */
  listed: string
  /** The last row of the page before, as SQL. */
  after: { slots: string; id: string } | false
  limit: number
}

/**
 * Selects the first tasks of a list with the most free slots first. Open ones are ordered by `open_task_slots`, because an index of tasks
 * with the free slots would be written for each slot that is taken (docs/decisions/0104-heap-only-updates.md).
 */
export function firstByMostSlots(first: FirstTasks): string {
  if (first.scope !== 'all') return openTasks(first)
  const { columns, listed, limit } = first
  // A closed task has no free slots. Closed ones are listed among open ones without a slot, newest first.
  return `with open_tasks as materialized (${openTasks(first)}),
    closed_tasks as materialized (
      select tasks.id, tasks.slots_left, ${columns} from tasks
       where (select count(*) from open_tasks where slots_left > 0) < ${limit}
         and tasks.closed_at is not null and ${listed} ${closedAfter(first)}
       order by tasks.id desc limit ${limit})
    select * from (select * from open_tasks union all select * from closed_tasks) as tasks
     order by slots_left desc, id desc limit ${limit}`
}

/** Selects the open tasks. The limit of one keeps PostgreSQL from reading all tasks first when it expects few. */
function openTasks({ columns, scope, listed, after, limit }: FirstTasks): string {
  return `select free.task_id as id, free.slots_left, ${columns} from open_task_slots as free
    cross join lateral (select * from tasks where tasks.id = free.task_id and ${listed} limit 1) as tasks
     where free.slots_left >= ${scope === 'open' ? 1 : 0}
           ${after === false ? '' : `and (free.slots_left, free.task_id) < (${after.slots}, ${after.id})`}
     order by free.slots_left desc, free.task_id desc limit ${limit}`
}

function closedAfter({ after }: FirstTasks): string {
  if (after === false) return ''
  const bound = beforeCursor(`case when ${after.slots} = 0 then ${after.id} end`, 'uuid')
  return `and ${after.slots} >= 0 and tasks.id < ${bound}`
}
