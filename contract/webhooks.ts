import * as z from 'zod/mini'
import { API_EVENT_TYPES } from './api-events.ts'
import { endpoint } from './endpoint.ts'
import { ById, Id, line, Paging, Time } from './shapes.ts'

/** The endpoints that a user can have at a time, ended ones not counted. */
export const WEBHOOK_ENDPOINTS_MAX = 10
export const WEBHOOK_NAME_MAX = 60
const URL_MAX = 2000

/** How long an endpoint may take to respond. */
export const WEBHOOK_TIMEOUT_SECONDS = 15
/** Why there was no response to an attempt. Another `error` is the code of a failed connection. */
export const WEBHOOK_ERRORS = {
  timeout: `No response within ${WEBHOOK_TIMEOUT_SECONDS} seconds`,
  privateHost: 'The host has no public address',
  secret: 'The secret cannot be read. Rotate it.',
  scheme: 'Only https is allowed',
} as const

/** The URL that events are sent to. Except in development the server requires https and a public address. */
const Url = z
  .string()
  .check(
    z.trim(),
    z.maxLength(URL_MAX, 'This URL is too long'),
    z.refine(isWebhookUrl, 'Enter a URL that starts with https://, without a password or a fragment'),
  )

function isWebhookUrl(typed: string): boolean {
  const url = URL.parse(typed)
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    typed.isWellFormed() &&
    !/[\p{Cc}\s]/u.test(typed)
  )
}

const Events = z.array(z.enum(API_EVENT_TYPES)).check(
  z.minLength(1, 'Choose at least one event'),
  z.refine((types) => new Set(types).size === types.length, 'Choose each event once'),
)

/**
 * An endpoint without its secret. `paused` by the `user`, because of `failures` or a `password_reset`, or because
 * their user became an Admin (`role`); `ended` after a response 410.
 * `failingSince`: the first failure since the last success. `previousSecretUntil`: until when the secret before the current
 * one signs as well. `waiting`: its deliveries that are not finished.
 */
export const WebhookEndpoint = z.object({
  _id: Id,
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  state: z.enum(['active', 'paused', 'ended']),
  pausedBecause: z.nullable(z.enum(['user', 'failures', 'password_reset', 'role'])),
  failingSince: z.nullable(Time),
  previousSecretUntil: z.nullable(Time),
  waiting: z.int(),
  createdAt: Time,
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const NewWebhookEndpoint = z.object({
  name: line(WEBHOOK_NAME_MAX, 'Enter a name'),
  url: Url,
  events: Events,
})
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>

export const WebhookEndpointChange = z.partial(NewWebhookEndpoint)
export type WebhookEndpointChange = z.infer<typeof WebhookEndpointChange>

/** The response to an attempt: its status and the first 2 kB of its body, or the reason why there was none. */
export const WebhookAttempt = z.object({
  at: Time,
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  body: z.string(),
  durationMs: z.int(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/**
 * An event for an endpoint with its latest attempts, newest first. `payload`: the body of their requests, as JSON. `nextAttemptAt` is null for one that is finished, waits
 * for an earlier one of the same object, or waits for its endpoint to be resumed.
 */
export const WebhookDelivery = z.object({
  _id: Id,
  eventId: Id,
  type: z.string(),
  objectId: Id,
  state: z.enum(['pending', 'delivered', 'failed']),
  createdAt: Time,
  payload: z.string(),
  nextAttemptAt: z.nullable(Time),
  attempts: z.array(WebhookAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const WithSecret = z.extend(WebhookEndpoint, { secret: z.string() })
const LIMIT = { perUser: 120, perNetwork: 1200 }

export const webhookEndpoints = endpoint({
  method: 'GET',
  path: '/webhook-endpoints',
  summary: "The caller's webhook endpoints, newest first, at most 100",
  access: { who: 'signed-in' },
  reply: z.array(WebhookEndpoint),
})

export const webhookEndpoint = endpoint({
  method: 'GET',
  path: '/webhook-endpoints/:id',
  summary: "One of the caller's webhook endpoints",
  access: { who: 'signed-in' },
  params: ById,
  reply: WebhookEndpoint,
})

/** The response has the secret, which is not shown again. It is not stored, so a repeated request makes another endpoint. */
export const createWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/webhook-endpoints',
  summary: 'Make a webhook endpoint; the response has its secret, which is not shown again',
  access: { who: ['Worker', 'Buyer'], fresh: true },
  limit: { perUser: 30, perNetwork: 300 },
  body: NewWebhookEndpoint,
  reply: WithSecret,
  status: 201,
  idempotency: 'own',
})

export const changeWebhookEndpoint = endpoint({
  method: 'PATCH',
  path: '/webhook-endpoints/:id',
  summary: 'Change the name, the URL or the events of a webhook endpoint',
  access: { who: 'signed-in', fresh: true },
  limit: LIMIT,
  params: ById,
  body: WebhookEndpointChange,
  reply: WebhookEndpoint,
  idempotency: 'own',
})

export const setWebhookPaused = endpoint({
  method: 'PUT',
  path: '/webhook-endpoints/:id/paused',
  summary: 'Pause a webhook endpoint, or resume it: what waited is then delivered',
  access: { who: 'signed-in' },
  limit: LIMIT,
  params: ById,
  body: z.object({ paused: z.boolean() }),
  reply: WebhookEndpoint,
})

/** The response has the new secret. The previous one signs as well for a day. */
export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/webhook-endpoints/:id/rotate',
  summary: 'Make a new secret; the previous one signs as well for 24 hours',
  access: { who: 'signed-in', fresh: true },
  limit: { perUser: 30, perNetwork: 300 },
  params: ById,
  reply: WithSecret,
  idempotency: 'own',
})

export const deleteWebhookEndpoint = endpoint({
  method: 'DELETE',
  path: '/webhook-endpoints/:id',
  summary: 'Delete a webhook endpoint with its deliveries',
  access: { who: 'signed-in', fresh: true },
  limit: LIMIT,
  params: ById,
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

export const testWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/webhook-endpoints/:id/test',
  summary: 'Send an event of the type webhook.test to an endpoint, once',
  access: { who: 'signed-in' },
  limit: LIMIT,
  params: ById,
  reply: z.object({ deliveryId: Id }),
  status: 201,
})

export const webhookDeliveries = endpoint({
  method: 'GET',
  path: '/webhook-endpoints/:id/deliveries',
  summary: 'The deliveries to a webhook endpoint in the last 30 days, newest first',
  access: { who: 'signed-in' },
  params: ById,
  query: Paging,
  reply: z.array(WebhookDelivery),
})

export const replayWebhookDelivery = endpoint({
  method: 'POST',
  path: '/webhook-deliveries/:id/replay',
  summary: 'Deliver an event again; its id stays the same',
  access: { who: 'signed-in' },
  limit: { perUser: 600, perNetwork: 6000 },
  params: ById,
  reply: z.undefined(),
  status: 204,
})
