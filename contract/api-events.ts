import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PAYMENT_SYSTEMS } from './product.ts'
import { Coins, Id, Time } from './shapes.ts'
import { DECIDERS } from './submission-states.ts'

const work = { submissionId: Id, taskId: Id, taskTitle: z.string(), coins: Coins }
const batch = { batchId: Id, taskId: Id, taskTitle: z.string(), slots: z.int(), approved: z.int() }
const Cents = z.int().check(z.minimum(0))

/**
 * What an event of each type says (docs/specification/webhooks.md#events). `coins` is the reward of the work, unless it
 * says otherwise.
 */
export const API_EVENTS = {
  /** `revised`: the buyer asked for this version. */
  'submission.received': z.strictObject({ ...work, revised: z.boolean() }),
  /** A rejection that is not `final` can be appealed or waits for a reviewer. */
  'submission.decided': z.strictObject({
    ...work,
    status: z.enum(['approved', 'rejected']),
    final: z.boolean(),
    decidedBy: z.enum(DECIDERS),
  }),
  'submission.auto_approved': z.strictObject(work),
  'submission.revision_requested': z.strictObject({ ...work, dueAt: Time }),
  'appeal.opened': z.strictObject({ ...work, dueAt: Time }),
  'appeal.decided': z.strictObject({
    ...work,
    status: z.enum(['approved', 'rejected']),
    decidedBy: z.enum(DECIDERS),
  }),
  /** `coins`: those of the slots left, which came back to the buyer. */
  'task.closed': z.strictObject({
    taskId: Id,
    taskTitle: z.string(),
    coins: Coins,
    reason: z.enum(['buyer', 'deadline', 'deleted', 'buyer_left', 'dispute']),
  }),
  /** Sent at each tenth of the `slots` that is paid or refunded. */
  'batch.progress': z.strictObject({ ...batch, percent: z.int() }),
  /** Every slot is paid or refunded. */
  'batch.finished': z.strictObject(batch),
  /** `coins`: those that were bought. */
  'payment.credited': z.strictObject({ paymentId: Id, coins: Coins, cents: Cents }),
  'dispute.opened': z.strictObject({ paymentId: Id, cents: Cents }),
  /** `coins`: those that were withdrawn. */
  'payout.confirmed': z.strictObject({
    withdrawalId: Id,
    coins: Coins,
    cents: Cents,
    system: z.enum(PAYMENT_SYSTEMS),
  }),
} as const satisfies Record<string, z.ZodMiniObject>

export type ApiEventType = keyof typeof API_EVENTS
export const API_EVENT_TYPES = Object.keys(API_EVENTS) as [ApiEventType, ...ApiEventType[]]

/** What webhooks deliver: the events, and the test of an endpoint, which nobody chooses. */
export const WEBHOOK_EVENTS = { ...API_EVENTS, 'webhook.test': z.strictObject({ endpointId: Id }) } as const
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]

const eventOf = <Type extends ApiEventType>(type: Type) =>
  z.strictObject({ id: Id, type: z.literal(type), createdAt: Time, data: API_EVENTS[type] })

/** An event as webhooks and the event stream deliver it. An event that is delivered again has the same `id`. */
export const ApiEvent = z.discriminatedUnion('type', [
  eventOf('submission.received'),
  eventOf('submission.decided'),
  eventOf('submission.auto_approved'),
  eventOf('submission.revision_requested'),
  eventOf('appeal.opened'),
  eventOf('appeal.decided'),
  eventOf('task.closed'),
  eventOf('batch.progress'),
  eventOf('batch.finished'),
  eventOf('payment.credited'),
  eventOf('dispute.opened'),
  eventOf('payout.confirmed'),
])
export type ApiEvent = z.infer<typeof ApiEvent>

/**
 * A stream of server-sent events: `connected`, then each event under its type, with its number as `id`, and `closing` before
 * the server closes it. A caller that reconnects with the header `Last-Event-ID` receives the events after that number.
 */
export const apiEvents = endpoint({
  method: 'GET',
  path: '/events',
  summary: "The caller's events as they come (text/event-stream), resumable by Last-Event-ID",
  access: { who: 'signed-in' },
  scope: 'events',
  reply: z.string(),
})
