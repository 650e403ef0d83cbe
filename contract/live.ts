import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Notification } from './notifications.ts'
import { Coins, Id } from './shapes.ts'

/** The parts of a user's data that an update can concern. */
export const LiveTopic = z.enum(['submissions', 'tasks', 'withdrawals', 'payments', 'person', 'contact'])
export type LiveTopic = z.infer<typeof LiveTopic>

/** The first event of a connection. When it is not `resumed`, something may have been missed: read everything anew. */
export const LiveHello = z.object({ resumed: z.boolean() })
export type LiveHello = z.infer<typeof LiveHello>

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
 * A stream of server-sent events: `hello`, `update`, `tasks`, and `bye` before the server hangs up. A caller that comes
 * back with the last id it saw, in the header `Last-Event-ID`, gets what it missed, once.
 */
export const live = endpoint({
  method: 'GET',
  path: '/live',
  summary: "Live updates of the caller's data (text/event-stream)",
  access: { who: 'signed-in' },
  query: z.object({ tasks: z.optional(z.literal('true')) }),
  reply: z.string(),
})
