import { query, queryOne } from '#server/database/database.ts'
import { approveSubmissions } from '#server/submissions/bulk-approve.ts'
import { closeTask } from '#server/tasks/close.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { reopenTask } from '#server/tasks/reopen.ts'
import { reserveSlot, returnReservation } from '#server/tasks/reserve.ts'
import { addSlots } from '#server/tasks/top-up.ts'
import { aTask } from '#tests/support/factories.ts'
import type { Marketplace } from './marketplace.ts'
import type { TaskOperation } from './operation.ts'
import { doneIf, NOBODY, type Result, setClock } from './result.ts'
import type { World } from './world.ts'

const expireTask = query<{ refund: number }, [task: string]>(
  'model_expire_task',
  `select close_task(id, 'deadline') as refund
     from (select id from tasks where id = $1 and closed_at is null for no key update) as task`,
)
const liveReservation = query<{ id: string; at: string }, [task: string, worker: string]>(
  'model_live_reservation',
  `select id, expires_at + interval '1 second' as at from reservations
    where task_id = $1 and worker_id = $2 and ended_at is null`,
)
const lapseReservation = queryOne<{ lapsed: boolean }, [reservation: string]>(
  'model_lapse_reservation',
  'select lapse_reservation($1) as lapsed',
)

/** Runs an operation on a task or a reservation through the use cases of the product. */
export async function performOnTask(
  world: World,
  model: Marketplace,
  operation: TaskOperation,
): Promise<Result> {
  const { database, config } = world
  if (operation.do === 'post') {
    const { slots, reward } = operation
    return { outcome: 'done', made: await aTask(database, world.user(operation.who), { slots, reward }) }
  }
  const task = world.tasks[operation.task] ?? NOBODY
  if (operation.do === 'expire') return doneIf((await expireTask(database, task)).length)
  const user = world.user('own' in operation ? model.buyerOf(operation, operation.task) : operation.who)
  switch (operation.do) {
    case 'reserve': {
      const { id } = await reserveSlot(database, config, task, user.id)
      return world.isNewReservation(id) ? { outcome: 'done', made: id } : { outcome: 'again' }
    }
    case 'return':
      return doneIf(await returnReservation(database, task, user.id))
    case 'lapse': {
      const [live] = await liveReservation(database, task, user.id)
      if (live === undefined) return { outcome: 'again' }
      const { lapsed } = await database.transaction(async (tx) => {
        await setClock(tx, live.at)
        return lapseReservation(tx, live.id)
      })
      return doneIf(lapsed ? 1 : 0)
    }
    case 'delete-task':
      return doneIf((await deleteTask(database, task, user)).deleted)
    case 'top-up':
      await addSlots(database, config, task, user.id, operation.slots)
      return { outcome: 'done' }
    case 'close':
      return doneIf((await closeTask(database, task, user.id)) === null ? 0 : 1)
    case 'reopen':
      return doneIf((await reopenTask(database, config, task, user.id, null)) === null ? 0 : 1)
    case 'approve-all': {
      const ids = world.work.filter((_, number) => model.state.work[number]?.task === operation.task)
      const results = await approveSubmissions(database, ids, user.id)
      const works = results.filter(({ modified }) => modified).map(({ id }) => world.work.indexOf(id))
      return { outcome: works.length > 0 ? 'done' : 'again', found: { works } }
    }
  }
}
