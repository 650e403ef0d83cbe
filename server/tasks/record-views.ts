import type { FastifyInstance } from 'fastify'
import { API_PATH } from '#contract/endpoint.ts'
import { taskDetails } from '#contract/tasks.ts'
import { type Database, MANY_ROWS, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { createWriteBuffer } from '#server/http/write-buffer.ts'

const BATCH = 5_000
const TASKS_PER_BATCH = 1_000

const recordViews = query<never, [views: string]>('task_views_record', 'select record_task_views($1)')
const NO_TASK = '00000000-0000-0000-0000-000000000000'
// Finds each next task by the key, as no index has only the tasks that closed.
const readViewedTasks = query<{ id: string; is_expired: boolean }, [after: string, limit: number]>(
  'purge_task_viewers_tasks',
  `with recursive viewed (id, number) as (
     (select task_id, 1 from task_viewers where task_id > $1 order by task_id limit 1)
     union all
     select next.task_id, number + 1
       from viewed cross join lateral (
         select task_id from task_viewers where task_id > viewed.id order by task_id limit 1) as next
      where number < $2)
   select id, are_viewers_deleted(closed_at) as is_expired from viewed join tasks using (id) order by id`,
  MANY_ROWS,
)
const deleteViewers = query<{ task_id: string }, [tasks: readonly string[], batch: number]>(
  'purge_task_viewers',
  `delete from task_viewers where (task_id, worker_id) in (
     select task_id, worker_id from task_viewers join tasks on tasks.id = task_id
      where task_id = any ($1::uuid[]) and are_viewers_deleted(closed_at) limit $2 for update of task_viewers skip locked)
   returning task_id`,
  MANY_ROWS,
)

/** Records which workers open the details of which tasks. Returns a function that writes at once. */
export function recordTaskViews(app: FastifyInstance, database: Database): () => Promise<void> {
  const views = createWriteBuffer<{ task: string; worker: string }>(app, 'views of tasks', (batch) =>
    recordViews(database, JSON.stringify(batch)),
  )
  const url = API_PATH + taskDetails.path
  app.addHook('onResponse', (request, reply, done) => {
    const viewer = request.caller?.viewer
    if (request.routeOptions.url === url && reply.statusCode === 200 && viewer?.role === 'Worker') {
      const { id: task } = request.params as { id: string }
      views.set(`${task} ${viewer.id}`, { task, worker: viewer.id })
    }
    done()
  })
  return views.flush
}

/** Deletes the views of tasks that closed more than 30 days ago. Returns the number of rows. */
export async function purgeTaskViewers(database: Database, tasksPerBatch = TASKS_PER_BATCH): Promise<number> {
  let deleted = 0
  for (let after: string | undefined = NO_TASK; after !== undefined; ) {
    const viewed = await readViewedTasks(database, after, tasksPerBatch)
    const expired = viewed.filter(({ is_expired }) => is_expired).map(({ id }) => id)
    if (expired.length > 0)
      deleted += await deleteInBatches(
        BATCH,
        async (batch) => (await deleteViewers(database, expired, batch)).length,
      )
    after = viewed.at(-1)?.id
  }
  return deleted
}
