import type { FastifyInstance } from 'fastify'
import * as reservations from '#contract/reservations.ts'
import * as filters from '#contract/task-filters.ts'
import * as contract from '#contract/tasks.ts'
import type { RouteContext } from '#server/context.ts'
import { emailKey } from '#server/email-key.ts'
import { page } from '#server/http/pagination.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { type HandlerInput, serve } from '#server/http/serve.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import { canSeeEmails } from '#server/users/email-visibility.ts'
import { maskEmail } from '#server/users/mask-email.ts'
import { testBatchesOf, unlistedTasks } from './access.ts'
import { addTask } from './add.ts'
import { closeTask } from './close.ts'
import { confirmRefund } from './confirm-refund.ts'
import { deleteTask } from './delete.ts'
import { keyOfSort, listTasks } from './list.ts'
import type { Scope } from './list-query.ts'
import { moveDeadline } from './move-deadline.ts'
import { listMyTasks, myTaskKey, progressOfTasks, totalsOfBuyer } from './my-tasks.ts'
import {
  presentListedReservation,
  presentProgress,
  presentReservation,
  presentTask,
  presentTaskDetails,
  presentTaskList,
} from './present.ts'
import { taskById } from './queries.ts'
import { reopenTask } from './reopen.ts'
import { reservationsOfWorker, reserveSlot, returnReservation } from './reserve.ts'
import { savedFiltersOf, saveFilters } from './saved-filters.ts'
import { addSlots } from './top-up.ts'
import { updateTask } from './update.ts'

export function taskRoutes(app: FastifyInstance, context: RouteContext): void {
  const { config } = context

  type ListRequest = Pick<HandlerInput<typeof contract.allTask>, 'db' | 'reply' | 'query' | 'request'>

  async function list({ db, reply, query, request }: ListRequest, scope: Scope, unlisted = false) {
    const sort = query.sort ?? 'newest'
    const filter = {
      scope: query.open === 'true' ? 'open' : scope,
      sort,
      q: query.q,
      payMin: query.pay_min,
      payMax: query.pay_max,
      category: query.category,
      unlisted,
    } as const
    const { shape, key } = keyOfSort(sort)
    const rows = await page(reply, query, shape, (after, count) => listTasks(db, filter, after, count), key)
    return presentTaskList(rows, context, request)
  }

  serve(app, context, contract.taskListWorker, (request) => list(request, 'workers'))

  serve(app, context, contract.allTask, (request) => list(request, 'all'))

  serve(app, context, contract.managedTasks, async (request) => {
    const tasks = await list(request, 'all', true)
    const reasons = await unlistedTasks(
      request.db,
      tasks.map(({ _id }) => _id),
    )
    return tasks.map((task) => ({ ...task, unlisted: reasons.get(task._id) ?? null }))
  })

  serve(app, context, contract.myTask, async ({ db, params, query, reply }) => {
    const filter = { state: query.state, q: query.q, sort: query.sort ?? 'deadline' }
    const { shape, key } = myTaskKey(filter.sort)
    const buyer = emailKey(params.email) ?? ''
    const rows = await page(
      reply,
      query,
      shape,
      (after, count) => listMyTasks(db, buyer, filter, after, count),
      key,
    )
    return rows.map((row) => presentTask(row, config))
  })

  serve(app, context, contract.myTaskProgress, async ({ db, query, viewer }) =>
    (await progressOfTasks(db, viewer.id, query.tasks ?? [])).map(presentProgress),
  )

  serve(app, context, contract.myTaskTotals, ({ db, viewer }) => totalsOfBuyer(db, viewer.id))

  serve(app, context, contract.taskDetails, async ({ db, params, viewer, request }) => {
    const [task] = await taskById(db, params.id, viewer.id)
    if (task === undefined) throw new Refusal('task_not_found')
    const lacksQualification = task.refusal?.key === 'not_eligible.qualification'
    const tests = lacksQualification ? await testBatchesOf(db, params.id, viewer.id) : undefined
    const details = presentTaskDetails(task, config, requestLocale(request), tests)
    const showsEmail = task.buyer_email === viewer.email || (await canSeeEmails(context, request))
    return showsEmail ? details : { ...details, buyer: maskEmail(details.buyer) }
  })

  serve(app, context, contract.addTask, async ({ db, body, caller, viewer }) => {
    requireVerifiedEmail(config, caller, 'post')
    return { acknowledged: true, insertedId: await addTask(db, config, viewer, body, body, body.draftId) }
  })

  serve(app, context, contract.updateTask, async ({ db, params, body, viewer }) => {
    await updateTask(db, params.id, viewer.id, body)
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })

  serve(app, context, contract.addSlots, async ({ db, params, body, viewer }) => {
    return { changed: true, coins: await addSlots(db, config, params.id, viewer.id, body.slots) }
  })

  serve(app, context, contract.moveDeadline, async ({ db, params, body, viewer }) => {
    const changed = await moveDeadline(db, config, params.id, viewer.id, body.completion_date)
    return { changed, coins: 0 }
  })

  serve(app, context, contract.closeTask, async ({ db, params, viewer }) => {
    const coins = await closeTask(db, params.id, viewer.id)
    return { changed: coins !== null, coins: coins ?? 0 }
  })

  serve(app, context, contract.reopenTask, async ({ db, params, body, viewer }) => {
    const coins = await reopenTask(db, config, params.id, viewer.id, body?.completion_date ?? null)
    return { changed: coins !== null, coins: coins ?? 0 }
  })

  serve(app, context, contract.deleteTask, async ({ db, params, viewer }) => {
    const { deleted, completed, refund } = await deleteTask(db, params.id, viewer)
    return { acknowledged: true, deletedCount: deleted, isCompleted: completed, refund }
  })

  serve(app, context, filters.taskFilters, async ({ db, viewer }) => ({
    filters: await savedFiltersOf(db, viewer.id),
  }))

  serve(app, context, filters.setTaskFilters, async ({ db, body, viewer }) => {
    await saveFilters(db, viewer.id, body.filters)
    return body
  })

  serve(app, context, reservations.reserveSlot, async ({ db, params, viewer }) =>
    presentReservation(await reserveSlot(db, config, params.id, viewer.id)),
  )

  serve(app, context, reservations.returnReservation, async ({ db, params, viewer }) => ({
    acknowledged: true,
    deletedCount: await returnReservation(db, params.id, viewer.id),
  }))

  serve(app, context, reservations.myReservations, async ({ db, viewer }) =>
    (await reservationsOfWorker(db, viewer.id)).map(presentListedReservation),
  )

  serve(app, context, contract.updateCoin, async ({ db, body, viewer }) => {
    const coin = await confirmRefund(db, viewer.accountId, body.coin)
    return { acknowledged: true, matchedCount: 1, modifiedCount: 0, coin }
  })
}
