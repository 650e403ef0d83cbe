import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/task-access.ts'
import type { RouteContext } from '#server/context.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { canSeeEmails } from '#server/users/email-visibility.ts'
import { maskEmail } from '#server/users/mask-email.ts'
import { ineligibleTasks, tasksForFavourites } from './access.ts'
import { presentListedTask } from './present.ts'

export function taskAccessRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.myIneligibleTasks, ({ db, query, viewer, request }) =>
    ineligibleTasks(db, viewer.id, query.tasks ?? [], requestLocale(request)),
  )

  serve(app, context, contract.tasksForFavourites, async ({ db, viewer, request }) => {
    const rows = await tasksForFavourites(db, viewer.id)
    const tasks = rows.map((row) => presentListedTask(row, context.config))
    if (await canSeeEmails(context, request)) return tasks
    return tasks.map((task) => ({ ...task, buyer: maskEmail(task.buyer) }))
  })
}
