import type { FastifyInstance } from 'fastify'
import { taskFunnel } from '#contract/task-funnel.ts'
import type { Context } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import { funnelOfTask } from './funnel.ts'
import { recordTaskViews } from './record-views.ts'

export function taskFunnelRoutes(app: FastifyInstance, { database, ...context }: Context): void {
  const flushViews = recordTaskViews(app, database)

  serve(app, context, taskFunnel, async ({ db, params, viewer }) => {
    await flushViews()
    const {
      is_own: _,
      median_seconds: medianSeconds,
      ...numbers
    } = await funnelOfTask(db, params.id, viewer.id)
    return { taskId: params.id, ...numbers, medianSeconds }
  })
}
