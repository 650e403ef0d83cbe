import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Id, Time, text, Updated } from './shapes.ts'

/**
 * A difference between the provider's balance and our payments, in dollars: a charge without a payment here, another amount, other
 * refunds and disputes, a payment without a charge there. `other_currency` has no amounts: its transaction is the first in
 * another currency than dollars.
 */
export const CardCase = z.object({
  _id: Id,
  kind: z.enum(['unknown_charge', 'amount_differs', 'reversal_differs', 'missing_charge', 'other_currency']),
  transactionId: z.string(),
  provider: z.number(),
  ours: z.number(),
  date: Time,
  resolved: z.nullable(
    z.object({ date: Time, admin: z.nullable(z.string()), adminId: z.nullable(Id), note: z.string() }),
  ),
})
export type CardCase = z.infer<typeof CardCase>

/** `until` is the time of the last comparison, or null before the first. The totals are the provider's, in dollars. */
export const cardReconciliation = endpoint({
  method: 'GET',
  path: '/card-reconciliation',
  summary: "The provider's balance and its differences from our payments: open cases first",
  access: { who: ['Admin'] },
  reply: z.object({
    until: z.nullable(Time),
    totals: z.object({
      charged: z.number(),
      refunded: z.number(),
      disputed: z.number(),
      fees: z.number(),
      payouts: z.number(),
      /** The tax of our receipts, less that of credit notes: part of what was charged. */
      tax: z.number(),
    }),
    cases: z.array(CardCase),
  }),
})

export const resolveCardCase = endpoint({
  method: 'PATCH',
  path: '/card-cases/:id',
  summary: 'Resolve a difference from the provider with a note',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ note: text(2_000, 'Enter a note for the audit log') }),
  reply: Updated,
})

/** The response is a file (text/csv, UTF-8), not JSON. */
export const cardTransactionsFile = endpoint({
  method: 'GET',
  path: '/card-transactions/csv',
  summary: "The provider's balance transactions as a CSV file, oldest first",
  access: { who: ['Admin'], fresh: true },
  reply: z.unknown(),
})
