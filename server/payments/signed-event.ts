import Stripe from 'stripe'
import * as z from 'zod'
import { Refusal } from '#server/http/refusal.ts'
import type { CardEvent } from './provider.ts'

/** How old a signed message may be, in seconds. */
const TOLERANCE_SECONDS = 300

const Event = z.object({
  id: z.string().regex(/^evt_\w{1,250}$/),
  type: z.string().min(1).max(200),
  data: z.object({
    object: z.object({
      id: z.string().optional(),
      object: z.string().optional(),
      payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    }),
  }),
})

/**
 * Reads a webhook's bytes as they came: signed by the provider within the last five minutes, and an event. Refuses
 * `invalid_request` otherwise, without saying which.
 */
export function readSignedEvent(body: Buffer, signature: string | undefined, secret: string): CardEvent {
  try {
    const event = Event.parse(
      Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS),
    )
    return { id: event.id, type: event.type, intentId: intentOf(event.data.object) }
  } catch {
    throw new Refusal('invalid_request.webhook')
  }
}

function intentOf({ id, object, payment_intent }: z.infer<typeof Event>['data']['object']): string | null {
  const named =
    object === 'payment_intent'
      ? id
      : typeof payment_intent === 'object'
        ? payment_intent?.id
        : payment_intent
  return named !== undefined && isIntentId(named) ? named : null
}

/** What an intent's id looks like; everything else never reaches the provider's addresses. */
export function isIntentId(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^pi_[A-Za-z0-9_-]{8,250}$/.test(text)
}
