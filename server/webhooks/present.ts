import type { ApiEvent } from '#contract/api-events.ts'
import type { WebhookDelivery, WebhookEndpoint } from '#contract/webhooks.ts'
import type { DeliveryRow, EndpointRow } from './queries.ts'

export type ApiEventRow = { id: string; type: string; payload: string; created_at: string }

/** Returns an event as its receivers get it. The SQL of server/webhooks/events.sql writes the payload of each type. */
export function presentEvent({ id, type, payload, created_at }: ApiEventRow): ApiEvent {
  return { id, type, createdAt: created_at, data: JSON.parse(payload) } as ApiEvent
}

/** Returns the body of a delivery's requests, the same for each attempt. */
export function bodyOf({
  event_id: id,
  type,
  payload,
  event_at: created_at,
}: Pick<DeliveryRow, 'event_id' | 'type' | 'payload' | 'event_at'>): string {
  return JSON.stringify(presentEvent({ id, type, payload, created_at }))
}

export function presentEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    _id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    state: row.state,
    pausedBecause: row.paused_because,
    failingSince: row.failing_since,
    previousSecretUntil: row.previous_until,
    waiting: row.waiting,
    createdAt: row.created_at,
  }
}

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    _id: row.id,
    eventId: row.event_id,
    type: row.type,
    objectId: row.object_id,
    state: row.state,
    createdAt: row.created_at,
    payload: bodyOf(row),
    nextAttemptAt: row.due_at,
    attempts: row.attempts,
  }
}
