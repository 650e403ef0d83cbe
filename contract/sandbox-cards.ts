import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { SavedCardId } from './saved-cards.ts'

const TransactionId = z.string().check(z.minLength(1), z.maxLength(300))

// The sandbox's replacement of the card processor's API. As there, a browser pays with the intent's client secret and
// the card only.
const Attempt = z.object({
  transactionId: z.string(),
  status: z.enum(['succeeded', 'requires_action', 'failed']),
  error: z.nullable(z.object({ code: z.string(), declineCode: z.optional(z.string()), message: z.string() })),
})
const ClientSecret = z.string().check(z.minLength(1), z.maxLength(300))

/** `save` saves the card for the buyer of the intent when it is paid. */
export const sandboxConfirm = endpoint({
  method: 'POST',
  path: '/sandbox/confirm',
  summary: 'Sandbox only: pay an intent with a test card',
  access: { who: 'anyone' },
  limit: { perNetwork: 600 },
  body: z.object({
    clientSecret: ClientSecret,
    number: z.string().check(z.maxLength(40)),
    expMonth: z.int(),
    expYear: z.int(),
    cvc: z.string().check(z.maxLength(10)),
    save: z.optional(z.boolean()),
  }),
  reply: Attempt,
  idempotency: 'own',
})

export const sandboxConfirmSaved = endpoint({
  method: 'POST',
  path: '/sandbox/confirm-saved',
  summary: 'Sandbox only: pay an intent with a saved card of its buyer',
  access: { who: 'anyone' },
  limit: { perNetwork: 600 },
  body: z.object({ clientSecret: ClientSecret, card: SavedCardId }),
  reply: Attempt,
  idempotency: 'own',
})

export const sandboxAuthenticate = endpoint({
  method: 'POST',
  path: '/sandbox/authenticate',
  summary: 'Sandbox only: complete or fail 3-D Secure authentication',
  access: { who: 'anyone' },
  limit: { perNetwork: 600 },
  body: z.object({ clientSecret: ClientSecret, agreed: z.boolean() }),
  reply: Attempt,
  idempotency: 'own',
})

/**
 * `amount` is in dollars; without it the full amount is refunded. `status` is the state of the dispute in the provider's
 * words (docs/payments.md#disputes), by default that of a new one.
 */
export const sandboxReverse = endpoint({
  method: 'POST',
  path: '/sandbox/reverse',
  summary: 'Sandbox only: refund or dispute a payment at the card processor',
  access: { who: ['Admin'] },
  limit: { perUser: 300, perNetwork: 3000 },
  body: z.object({
    transactionId: TransactionId,
    kind: z.enum(['refund', 'dispute', 'dispute_won']),
    amount: z.optional(z.number().check(z.positive())),
    status: z.optional(z.string().check(z.regex(/^[a-z_]{1,60}$/))),
  }),
  reply: z.object({ acknowledged: z.boolean() }),
  idempotency: 'own',
})
