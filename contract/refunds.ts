import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Id, Time, text } from './shapes.ts'

/**
 * A refund of a card payment by an Admin. `waiting`: another Admin must approve it. `refunding`: the card processor has not
 * confirmed it. Amounts are in dollars.
 */
export const Refund = z.object({
  _id: Id,
  transactionId: z.string(),
  buyer: z.string(),
  buyerId: Id,
  amount: z.number(),
  reason: z.string(),
  status: z.enum(['waiting', 'refunding', 'refunded', 'failed', 'cancelled']),
  date: Time,
  requestedBy: z.string(),
  requestedById: Id,
  decidedBy: z.nullable(z.string()),
})
export type Refund = z.infer<typeof Refund>

/** Without `amount` everything is refunded that is left of the payment. */
export const requestRefund = endpoint({
  method: 'POST',
  path: '/payments/:transactionId/refunds',
  summary: 'Refund a card payment, in whole or in part; above a limit another Admin approves it first',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 300, perNetwork: 3000 },
  params: z.object({ transactionId: z.string().check(z.minLength(1), z.maxLength(300)) }),
  body: z.object({
    amount: z.optional(
      z.number().check(
        z.minimum(0.01, 'Enter an amount above 0'),
        z.maximum(1_000_000, 'This amount is too large'),
        z.refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, 'Enter whole cents'),
      ),
    ),
    reason: text(2_000, 'Enter a reason for the audit log'),
  }),
  reply: Refund,
  idempotency: 'claimed',
})

export const decideRefund = endpoint({
  method: 'PATCH',
  path: '/refunds/:id',
  summary: 'Approve a refund that another Admin asked for, or cancel it',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ decision: z.enum(['approve', 'cancel']) }),
  reply: Refund,
  idempotency: 'claimed',
})

export const listRefunds = endpoint({
  method: 'GET',
  path: '/refunds',
  summary: 'Refunds by Admins: those that are not finished first, then the latest',
  access: { who: ['Admin'] },
  reply: z.array(Refund),
})
