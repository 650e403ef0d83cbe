import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Coins, Id, Time, text } from './shapes.ts'

/**
 * A paid intent that credited nothing. `cause`: its purchase is not in this database, or was for something else. `coins` is the
 * package of its amount, or null; `buyer` is null when there is no such user. Both are needed to credit it.
 */
export const UnmatchedPayment = z.object({
  _id: Id,
  transactionId: z.string(),
  cause: z.enum(['no_purchase', 'order_differs']),
  price: z.number(),
  refunded: z.number(),
  /** When the card network warned of fraud. */
  fraudWarningAt: z.nullable(Time),
  /** `status` is the provider's word; `respondBy` is when the bank wants evidence at the latest. */
  disputes: z.array(
    z.object({
      _id: z.string(),
      amount: z.number(),
      status: z.string(),
      isOpen: z.boolean(),
      respondBy: z.nullable(Time),
    }),
  ),
  currency: z.string(),
  date: Time,
  card: z.nullable(z.object({ brand: z.string(), last4: z.string() })),
  buyer: z.nullable(z.object({ _id: Id, name: z.string(), email: z.string() })),
  coins: z.nullable(Coins),
  /** `waiting`: an Admin has `requested` a decision that another Admin must approve. */
  status: z.enum(['open', 'waiting', 'credited', 'refunding', 'refunded']),
  requested: z.nullable(
    z.object({
      decision: z.enum(['credit', 'refund']),
      date: Time,
      admin: z.nullable(z.string()),
      adminId: z.nullable(Id),
    }),
  ),
  decision: z.nullable(
    z.object({ date: Time, admin: z.nullable(z.string()), adminId: z.nullable(Id), reason: z.string() }),
  ),
  real: z.boolean(),
})
export type UnmatchedPayment = z.infer<typeof UnmatchedPayment>

export const listUnmatchedPayments = endpoint({
  method: 'GET',
  path: '/unmatched-payments',
  summary: 'Paid intents that credited nothing: those without a decision first, then the latest decisions',
  access: { who: ['Admin'] },
  reply: z.array(UnmatchedPayment),
})

/**
 * `approve` and `cancel` are for a decision that waits; the others need a `reason`. `requested` is the decision that the Admin who
 * approves has seen: another one is not approved.
 */
export const decideUnmatchedPayment = endpoint({
  method: 'PATCH',
  path: '/unmatched-payments/:id',
  summary:
    'Credit an unmatched payment to its buyer, or refund it, once; above a limit another Admin approves it',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({
    decision: z.enum(['credit', 'refund', 'approve', 'cancel']),
    requested: z.optional(z.enum(['credit', 'refund'])),
    reason: z.optional(text(2_000, 'Enter a reason for the audit log')),
  }),
  reply: UnmatchedPayment,
  idempotency: 'claimed',
})
