import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByEmail, Coins, Day, Email, Id, Paging, paging, Time } from './shapes.ts'

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
 * `price` identifies the package, in dollars without added tax; the server sets the amount charged. If `coins` or `total`
 * (the price with tax) no longer match the package or its tax, the request is refused. With `customerSecret` Stripe's card
 * form offers the caller's saved cards and can save this one.
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
 * Every field but `transactionId` is a shown value; coins are credited from the server's record and the provider's status.
 * The reply has the balance (`coin`) and the debt after the purchase, and the coins of it that `repaid` a debt.
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
  accepted: true,
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
