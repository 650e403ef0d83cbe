import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const dueTasks = query<{ id: string }, [limit: number]>(
  'tasks_due',
  'select id from tasks where closed_at is null and closes_at <= clock_time() order by closes_at limit $1',
)
const closeDueTask = queryOne<{ closed: boolean }, [task: string]>(
  'close_due_task',
  'select close_due_task($1) as closed',
)

/** Closes every task whose deadline has passed and returns their number (docs/specification/tasks.md). */
export function closeDueTasks(database: Database): Promise<number> {
  return processDueRows(database, dueTasks, async (id) => (await closeDueTask(database, id)).closed)
}
