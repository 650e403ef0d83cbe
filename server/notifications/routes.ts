import type { FastifyInstance } from 'fastify'
import { kindsIn } from '#contract/notification-kinds.ts'
import * as contract from '#contract/notifications.ts'
import type { RouteContext } from '#server/context.ts'
import { emailKey } from '#server/email-key.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { presentListed, presentNotification } from './present.ts'
import { countUnread, MY_NOTIFICATIONS, markRead, notificationsOf, setRead } from './queries.ts'

export function notificationRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.notifications, async ({ db, params, query, viewer, reply }) => {
    const key = emailKey(params.email) ?? ''
    const [counted, rows] = await Promise.all([
      query.cursor === undefined ? countUnread(db, key) : undefined,
      page(
        reply,
        query,
        ['number'],
        ([before], count) => notificationsOf(db, key, before as number | null, count),
        (row) => [Number(row.id)],
      ),
    ])
    if (counted !== undefined) reply.header(contract.UNREAD_COUNT_HEADER, counted.unread)
    return rows.map((row) => presentNotification(row, viewer.locale))
  })

  serve(app, context, contract.readNotifications, async ({ db, params, body }) => {
    const { upTo = null, category } = body
    const kinds = category === undefined ? null : kindsIn(category)
    const { modified } = await markRead(db, emailKey(params.email) ?? '', upTo, kinds)
    return { acknowledged: true, modifiedCount: modified }
  })

  serve(app, context, contract.myNotifications, async ({ db, viewer, query, reply }) => {
    const { unread, category } = query
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => {
        const given = [viewer.id, before as number | null, count] as const
        if (category === undefined) return MY_NOTIFICATIONS[unread ? 'unread' : 'all'](db, ...given)
        return MY_NOTIFICATIONS[unread ? 'unreadOfKinds' : 'ofKinds'](db, ...given, kindsIn(category))
      },
      (row) => [Number(row.id)],
    )
    return rows.map((row) => presentListed(row, viewer.locale))
  })

  serve(app, context, contract.setNotificationsRead, async ({ db, viewer, body }) => {
    const { modified } = await setRead(db, viewer.id, body.ids, body.read)
    return { acknowledged: true, modifiedCount: modified }
  })
}
