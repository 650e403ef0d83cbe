import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { LIST_LIMIT_MAX } from './product.ts'
import { ByEmail, Coins, Paging, paging, Time } from './shapes.ts'

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

/** The notifications that the bell of the dashboard lists. */
export const BELL_NOTIFICATIONS = 20
/** The response header of the first page of a user's notifications with the number of unread ones. */
export const UNREAD_COUNT_HEADER = 'x-unread-count'
/** The most unread notifications that are counted. This number means this many or more. */
export const UNREAD_MAX = 100

export const notifications = endpoint({
  method: 'GET',
  path: '/notifications/:email',
  summary: "A user's notifications, newest first",
  access: { who: 'signed-in', named: 'path' },
  params: ByEmail,
  query: Paging,
  reply: z.array(Notification),
  totals: [UNREAD_COUNT_HEADER],
})

/** What a notification is about, for filtering. */
export const NotificationCategory = z.enum(['work', 'money', 'account'])
export type NotificationCategory = z.infer<typeof NotificationCategory>

export const readNotifications = endpoint({
  method: 'PATCH',
  path: '/notifications/:email',
  summary: 'Mark notifications read: all of them or those of a category, up to and with `upTo`',
  access: { who: 'signed-in', named: 'path' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ByEmail,
  body: z.object({ upTo: z.optional(NotificationId), category: z.optional(NotificationCategory) }),
  reply: z.object({ acknowledged: z.boolean(), modifiedCount: z.int() }),
})

/** A notification with what the notifications page groups by. */
export const ListedNotification = z.extend(Notification, {
  /** One of contract/notification-kinds.ts. */
  kind: z.string(),
  /** The title of its task, as it was then. */
  title: z.nullable(z.string()),
  /** The name of the worker, buyer or Admin whose action it reports. */
  actor: z.nullable(z.string()),
  coins: z.nullable(Coins),
  /** How many of what it reports it stands for; null for one. */
  count: z.nullable(z.int()),
})
export type ListedNotification = z.infer<typeof ListedNotification>

export const myNotifications = endpoint({
  method: 'GET',
  path: '/my-notifications',
  summary: "The caller's notifications, newest first: all, unread ones, or those of a category",
  access: { who: 'signed-in' },
  scope: 'account:read',
  query: z.object({
    ...paging,
    unread: z.optional(z.literal('true')),
    category: z.optional(NotificationCategory),
  }),
  reply: z.array(ListedNotification),
})

export const setNotificationsRead = endpoint({
  method: 'PUT',
  path: '/my-notifications/read',
  summary: "Mark some of the caller's notifications read or unread",
  access: { who: 'signed-in' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  body: z.object({
    ids: z.array(NotificationId).check(z.minLength(1), z.maxLength(LIST_LIMIT_MAX)),
    read: z.boolean(),
  }),
  reply: z.object({ acknowledged: z.boolean(), modifiedCount: z.int() }),
})
