import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/task-access.ts'
import type { RouteContext } from '#server/context.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { ineligibleTasks, tasksForFavourites } from './access.ts'
import { presentTaskList } from './present.ts'

export function taskAccessRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.myIneligibleTasks, ({ db, query, viewer, request }) =>
    ineligibleTasks(db, viewer.id, query.tasks ?? [], requestLocale(request)),
  )

  serve(app, context, contract.tasksForFavourites, async ({ db, viewer, request }) =>
    presentTaskList(await tasksForFavourites(db, viewer.id), context, request),
  )
}
