import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByEmail, Paging, Time } from './shapes.ts'

/** Notifications are numbered; a later one has the greater number. */
const NotificationId = z.string().check(z.regex(/^\d{1,18}$/, 'Unknown notification'))

export const Notification = z.object({
  _id: NotificationId,
  message: z.string(),
  time: Time,
  actionRoute: z.string(),
  read: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const notifications = endpoint({
  method: 'GET',
  path: '/notifications/:email',
  summary: "A user's notifications, newest first",
  access: { who: 'signed-in', named: 'path' },
  params: ByEmail,
  query: Paging,
  reply: z.array(Notification),
})

export const readNotifications = endpoint({
  method: 'PATCH',
  path: '/notifications/:email',
  summary: 'Mark notifications read: all of them up to and with `upTo`, or all',
  access: { who: 'signed-in', named: 'path' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ByEmail,
  body: z.object({ upTo: z.optional(NotificationId) }),
  reply: z.object({ acknowledged: z.boolean(), modifiedCount: z.int() }),
})
