import type { FastifyInstance } from 'fastify'
import { API_PATH } from '#contract/endpoint.ts'
import { taskDetails } from '#contract/tasks.ts'
import { type Database, query } from '#server/database/database.ts'
import { deleteInBatches } from '#server/database/delete-in-batches.ts'

const FLUSH_MS = 5_000
/** The views that an instance buffers between two writes; more are not recorded. */
const BUFFERED_MAX = 10_000
const BATCH = 5_000

const recordViews = query<never, [views: string]>('task_views_record', 'select record_task_views($1)')
const deleteViewers = query<{ task_id: string }, [batch: number]>(
  'purge_task_viewers',
  `delete from task_viewers where (task_id, worker_id) in (
     select task_id, worker_id from task_viewers join tasks on tasks.id = task_id
      where closed_at < clock_time() - interval '30 days' limit $1 for update of task_viewers skip locked)
   returning task_id`,
)

/**
 * Collects which workers open the details of which tasks in memory, and writes them every five seconds and when the server
 * stops, so that no request waits for it. Returns a function that writes at once.
 */
export function recordTaskViews(app: FastifyInstance, database: Database): () => Promise<void> {
  let views = new Map<string, { task: string; worker: string }>()

  async function flush(): Promise<void> {
    if (views.size === 0) return
    const batch = views
    views = new Map()
    await recordViews(database, JSON.stringify([...batch.values()]))
  }
  /** Views that cannot be written are lost: they are a report, not a count that decides. */
  const flushOrLog = () =>
    flush().catch((err: unknown) => app.log.warn({ err }, 'views of tasks were not recorded'))

  const url = API_PATH + taskDetails.path
  app.addHook('onResponse', (request, reply, done) => {
    const viewer = request.caller?.viewer
    if (request.routeOptions.url === url && reply.statusCode === 200 && viewer?.role === 'Worker') {
      const { id: task } = request.params as { id: string }
      if (views.size < BUFFERED_MAX) views.set(`${task} ${viewer.id}`, { task, worker: viewer.id })
    }
    done()
  })
  const timer = setInterval(() => void flushOrLog(), FLUSH_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flushOrLog()
  })
  return flush
}

/** Deletes who opened tasks that closed more than 30 days ago. Returns how many rows. */
export function purgeTaskViewers(database: Database): Promise<number> {
  return deleteInBatches(BATCH, async (batch) => (await deleteViewers(database, batch)).length)
}
