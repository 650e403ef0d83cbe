import * as z from 'zod'
import { Refusal } from '#server/http/refusal.ts'
import type { CardEvent } from './provider.ts'

/** The maximum age of a signed event, in seconds. */
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

/** Loads the library at the first use: in the sandbox, few processes need its two hundred modules. */
const loadStripe = () => import('stripe')

/**
 * Verifies the signature and age of a webhook's raw body and returns its event.
 * @throws Refusal `invalid_request` without a detail, for a wrong signature, an old event or an unexpected shape.
 */
export async function readSignedEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
): Promise<CardEvent> {
  const { default: Stripe } = await loadStripe()
  try {
    const event = Event.parse(
      Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS),
    )
    return { id: event.id, type: event.type, intentId: intentIdOf(event.data.object) }
  } catch (error) {
    throw new Refusal('invalid_request.webhook', { cause: (error as Error).message })
  }
}

/** Returns the signature of an event's body, as the provider signs it. */
export async function signEventBody(payload: string, secret: string): Promise<string> {
  const { default: Stripe } = await loadStripe()
  return Stripe.webhooks.generateTestHeaderString({ payload, secret })
}

function intentIdOf({ id, object, payment_intent }: z.infer<typeof Event>['data']['object']): string | null {
  const intentId =
    object === 'payment_intent'
      ? id
      : typeof payment_intent === 'object'
        ? payment_intent?.id
        : payment_intent
  return intentId !== undefined && isIntentId(intentId) ? intentId : null
}

/** Returns whether the text has the form of an intent id. Only such ids are used in URLs of the provider. */
export function isIntentId(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^pi_[A-Za-z0-9_-]{8,250}$/.test(text)
}
