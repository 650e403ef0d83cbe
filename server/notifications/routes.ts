import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/notifications.ts'
import type { RouteContext } from '#server/context.ts'
import { emailKey } from '#server/email-key.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { presentNotification } from './present.ts'
import { markRead, notificationsOf } from './queries.ts'

export function notificationRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.notifications, async ({ db, params, query, reply }) => {
    const key = emailKey(params.email) ?? ''
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => notificationsOf(db, key, before as number | null, count),
      (row) => [Number(row.id)],
    )
    return rows.map(presentNotification)
  })

  serve(app, context, contract.readNotifications, async ({ db, params, body }) => {
    const { modified } = await markRead(db, emailKey(params.email) ?? '', body.upTo ?? null)
    return { acknowledged: true, modifiedCount: modified }
  })
}
