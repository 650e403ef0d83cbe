import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { SavedCardId } from './saved-cards.ts'
import { ByEmail, ById, Coins, Day, Email, Id, Paging, paging, Time, text, Updated } from './shapes.ts'

const TransactionId = z.string().check(z.minLength(1), z.maxLength(300))

/** `price` is what was paid, in dollars, with tax. `returned` is the amount of later refunds and disputes. */
export const Payment = z.object({
  _id: Id,
  receipt: z.int(),
  email: z.string(),
  coins: Coins,
  price: z.number(),
  transactionId: z.string(),
  date: Time,
  status: z.enum(['Success', 'Refunded', 'Disputed']),
  card: z.nullable(z.object({ brand: z.string(), last4: z.string() })),
  returned: z.object({ price: z.number(), coins: Coins }),
  /** False where no money moved: the sandbox and the provider's test mode. */
  real: z.boolean(),
})
export type Payment = z.infer<typeof Payment>

export const Receipt = z.extend(Payment, { name: z.string() })
export type Receipt = z.infer<typeof Receipt>

/** `unclaimed`: the user was deleted before the payment arrived, so no coins were credited and it must be refunded. */
export const AdminPayment = z.extend(Receipt, { userId: Id, unclaimed: z.boolean() })
export type AdminPayment = z.infer<typeof AdminPayment>

/**
 * `price` identifies the package, in dollars without added tax; the server sets the amount charged. With `coins` a package that
 * has changed since the buyer saw it is refused, and with `total`, the price with the tax, a tax that has. `customerSecret` lets Stripe's card form offer the caller's saved cards and save this one;
 * without it the form does neither.
 */
export const createPaymentIntent = endpoint({
  method: 'POST',
  path: '/create-payment-intent',
  summary: 'Create a payment intent for the coin package of this price',
  access: { who: ['Buyer'] },
  limit: { perUser: 300, perNetwork: 3000 },
  body: z.object({ price: z.number(), coins: z.optional(z.number()), total: z.optional(z.number()) }),
  reply: z.object({ clientSecret: z.string(), customerSecret: z.optional(z.string()) }),
  idempotency: 'claimed',
})

/**
 * Every field but `transactionId` is a claim; coins are credited from the server's record and the provider's status. The
 * reply has the balance (`coin`) and the debt after the purchase, and the coins of it that `repaid` a debt.
 */
export const paymentSuccess = endpoint({
  method: 'POST',
  path: '/payment-success',
  summary: 'Confirm this transaction with the provider and credit its coins, once',
  access: { who: ['Buyer'] },
  limit: { perUser: 1200, perNetwork: 12_000 },
  body: z.object({
    transactionId: TransactionId,
    email: z.optional(Email),
    coins: z.optional(z.number()),
    price: z.optional(z.number()),
    date: z.optional(z.unknown()),
  }),
  reply: z.object({
    acknowledged: z.boolean(),
    insertedId: z.nullable(Id),
    coin: Coins,
    repaid: Coins,
    debt: Coins,
    status: z.enum(['credited', 'processing']),
  }),
  idempotency: 'claimed',
})

export const paymentHistory = endpoint({
  method: 'GET',
  path: '/payment-history/:email',
  summary: "A user's card payments, newest first",
  access: { who: 'signed-in', named: 'path' },
  scope: 'payments:read',
  params: ByEmail,
  query: Paging,
  reply: z.array(Payment),
})

export const paymentReceipt = endpoint({
  method: 'GET',
  path: '/payments/:transactionId',
  summary: 'The receipt of a payment, for its owner or an Admin',
  access: { who: 'signed-in' },
  scope: 'payments:read',
  params: z.object({ transactionId: TransactionId }),
  reply: Receipt,
  errors: ['payment_not_found'],
})

const paymentFilter = {
  q: z.optional(z.string().check(z.maxLength(300))),
  status: z.optional(z.enum(['Success', 'Refunded', 'Disputed'])),
  /** Days in UTC, both included. */
  from: z.optional(Day),
  to: z.optional(Day),
}
export const PaymentFilter = z.object(paymentFilter)
export type PaymentFilter = z.infer<typeof PaymentFilter>

export const listPayments = endpoint({
  method: 'GET',
  path: '/payments',
  summary: "All users' card payments, newest first; `q` searches names, emails and transaction ids",
  access: { who: ['Admin'] },
  query: z.object({ ...paging, ...paymentFilter }),
  reply: z.array(AdminPayment),
})

/** Amounts are in dollars; `returned` is what refunds and disputes took of `price`. */
export const paymentTotals = endpoint({
  method: 'GET',
  path: '/payments/totals',
  summary: 'The number of payments that a filter finds, with their sums',
  access: { who: ['Admin'] },
  query: PaymentFilter,
  reply: z.object({ payments: z.int(), price: z.number(), returned: z.number(), coins: Coins }),
})

export const paymentsFile = endpoint({
  method: 'GET',
  path: '/payments/export',
  summary: 'The payments that a filter finds, newest first, as CSV',
  access: { who: ['Admin'], fresh: true },
  query: PaymentFilter,
  reply: z.unknown(),
})

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

/** `approve` and `cancel` are for a decision that waits; the others need a `reason`. */
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
    reason: z.optional(text(2_000, 'Enter a reason for the audit log')),
  }),
  reply: UnmatchedPayment,
  idempotency: 'claimed',
})

/**
 * A difference between the provider's balance and our payments, in dollars: a charge without a payment here, another amount, other
 * refunds and disputes, a payment without a charge there.
 */
export const CardCase = z.object({
  _id: Id,
  kind: z.enum(['unknown_charge', 'amount_differs', 'reversal_differs', 'missing_charge']),
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
