import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Notification } from './notifications.ts'
import { Coins, Id } from './shapes.ts'

/** The parts of a user's data that an update can concern. */
export const LiveTopic = z.enum([
  'submissions',
  'tasks',
  'batches',
  'withdrawals',
  'payments',
  'person',
  'contact',
  'notifications',
])
export type LiveTopic = z.infer<typeof LiveTopic>

/** The event `connected`, the first of a connection. Unless `resumed`, events may have been missed: refetch all data. */
export const LiveConnected = z.object({ resumed: z.boolean() })
export type LiveConnected = z.infer<typeof LiveConnected>

/** The event `update`: the topics that changed for the caller, their balance, and new notifications. */
export const LiveUpdate = z.object({
  about: z.array(LiveTopic),
  coin: Coins,
  notices: z.array(Notification),
})
export type LiveUpdate = z.infer<typeof LiveUpdate>

/** The event `tasks`, for connections with `tasks=true`: free slots; `many` when there are too many to list. */
export const LiveTasks = z.object({
  tasks: z.union([z.array(z.object({ _id: Id, worker: z.int(), isClosed: z.boolean() })), z.literal('many')]),
})
export type LiveTasks = z.infer<typeof LiveTasks>

/**
 * A stream of server-sent events: `connected`, `update`, `tasks`, and `closing` before the server closes it. A caller
 * that reconnects with the header `Last-Event-ID` receives the events it missed, once each. With `loaded=true` the caller
 * has loaded its data since that event, new tasks too.
 */
export const live = endpoint({
  method: 'GET',
  path: '/live',
  summary: "Live updates of the caller's data (text/event-stream)",
  access: { who: 'signed-in' },
  query: z.object({ tasks: z.optional(z.literal('true')), loaded: z.optional(z.literal('true')) }),
  reply: z.string(),
})
