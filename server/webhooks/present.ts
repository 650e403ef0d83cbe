import type { ApiEvent } from '#contract/api-events.ts'

export type ApiEventRow = { id: string; type: string; payload: string; created_at: string }

/** Returns an event as its receivers get it. The SQL of server/webhooks/events.sql writes the payload of each type. */
export function presentEvent({ id, type, payload, created_at }: ApiEventRow): ApiEvent {
  return { id, type, createdAt: created_at, data: JSON.parse(payload) } as ApiEvent
}
