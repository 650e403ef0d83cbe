import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/tasks.ts'
import type { Services } from '#server/http/context.ts'
import { page } from '#server/http/pagination.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type Call, serve } from '#server/http/serve.ts'
import { emailKey } from '#server/identity/email-key.ts'
import { requireVerified } from '#server/identity/require-verified-email.ts'
import { addressesAreShown } from '#server/users/email-visibility.ts'
import { maskEmail } from '#server/users/mask.ts'
import { addTask } from './add.ts'
import { confirmRefund } from './confirm-refund.ts'
import { deleteTask } from './delete.ts'
import { keyOfSort, listTasks, type Scope } from './list.ts'
import { presentDetails, presentListed, presentTask } from './present.ts'
import { taskById, tasksOfBuyer } from './queries.ts'
import { updateTask } from './update.ts'

export function taskRoutes(app: FastifyInstance, services: Services): void {
  const { config } = services

  type ListCall = Pick<Call<typeof contract.allTask>, 'db' | 'reply' | 'query' | 'request'>

  async function list({ db, reply, query, request }: ListCall, scope: Scope) {
    const sort = query.sort ?? 'newest'
    const filter = {
      scope: query.open === 'true' ? 'open' : scope,
      sort,
      q: query.q,
      payMin: query.pay_min,
      payMax: query.pay_max,
    } as const
    const { shape, key } = keyOfSort(sort)
    const rows = await page(reply, query, shape, (after, count) => listTasks(db, filter, after, count), key)
    const tasks = rows.map(presentListed)
    if (await addressesAreShown(services, request)) return tasks
    return tasks.map((task) => ({ ...task, buyer: maskEmail(task.buyer) }))
  }

  serve(app, services, contract.taskListWorker, (call) => list(call, 'workers'))

  serve(app, services, contract.allTask, (call) => list(call, 'all'))

  serve(app, services, contract.myTask, async ({ db, params, query, reply }) => {
    const rows = await page(
      reply,
      query,
      ['day', 'id'],
      ([day, id], count) =>
        tasksOfBuyer(db, emailKey(params.email) ?? '', day as string | null, id as string | null, count),
      (row) => [row.completion_date, row.id],
    )
    return rows.map(presentTask)
  })

  serve(app, services, contract.taskDetails, async ({ db, params, viewer }) => {
    const [task] = await taskById(db, params.id, viewer.id)
    if (task === undefined) throw new Refusal('task_not_found', 'Task not found!')
    return presentDetails(task)
  })

  serve(app, services, contract.addTask, async ({ db, body, caller, viewer }) => {
    requireVerified(config, caller, 'post')
    return { acknowledged: true, insertedId: await addTask(db, config, viewer, body, body) }
  })

  serve(app, services, contract.updateTask, async ({ db, params, body, viewer }) => {
    await updateTask(db, params.id, viewer.id, body)
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })

  serve(app, services, contract.deleteTask, async ({ db, params, viewer }) => {
    const { deleted, completed, refund } = await deleteTask(db, params.id, viewer)
    return { acknowledged: true, deletedCount: deleted, isCompleted: completed, refund }
  })

  serve(app, services, contract.updateCoin, async ({ db, body, viewer }) => {
    const coin = await confirmRefund(db, viewer.accountId, body.coin)
    return { acknowledged: true, matchedCount: 1, modifiedCount: 0, coin }
  })
}
