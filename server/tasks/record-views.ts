import type { FastifyInstance } from 'fastify'
import { API_PATH } from '#contract/endpoint.ts'
import { taskDetails } from '#contract/tasks.ts'
import { type Database, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'
import { createWriteBuffer } from '#server/http/write-buffer.ts'

const BATCH = 5_000

const recordViews = query<never, [views: string]>('task_views_record', 'select record_task_views($1)')
const deleteViewers = query<{ task_id: string }, [batch: number]>(
  'purge_task_viewers',
  `delete from task_viewers where (task_id, worker_id) in (
     select task_id, worker_id from task_viewers join tasks on tasks.id = task_id
      where closed_at < clock_time() - interval '30 days' limit $1 for update of task_viewers skip locked)
   returning task_id`,
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
export function purgeTaskViewers(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await deleteViewers(database, batch)).length)
}
