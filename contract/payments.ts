import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByEmail, Coins, Email, Id, Paging, paging, Time } from './shapes.ts'

const TransactionId = z.string().check(z.minLength(1), z.maxLength(300))

/** `price` is in dollars. `returned` is what a refund or dispute has taken back since. */
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

/** `unclaimed`: the money came when the person was gone, so no coins were given and the operator must return it. */
export const AdminPayment = z.extend(Receipt, { unclaimed: z.boolean() })
export type AdminPayment = z.infer<typeof AdminPayment>

/** `price` names the package, in dollars; the amount charged is the server's own. */
export const createPaymentIntent = endpoint({
  method: 'POST',
  path: '/create-payment-intent',
  summary: 'Begin buying the coin package of this price',
  access: { who: ['Buyer'] },
  body: z.object({ price: z.number() }),
  reply: z.object({ clientSecret: z.string() }),
  idempotency: 'claimed',
})

/** Every field but `transactionId` is a claim; coins are credited from the server's record and the provider's word. */
export const paymentSuccess = endpoint({
  method: 'POST',
  path: '/payment-success',
  summary: 'Ask the provider about this transaction and credit its coins, once',
  access: { who: ['Buyer'] },
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
    status: z.enum(['credited', 'processing']),
  }),
  idempotency: 'claimed',
})

export const paymentHistory = endpoint({
  method: 'GET',
  path: '/payment-history/:email',
  summary: "A person's card payments, newest first",
  access: { who: 'signed-in', named: 'path' },
  params: ByEmail,
  query: Paging,
  reply: z.array(Payment),
})

export const paymentReceipt = endpoint({
  method: 'GET',
  path: '/payments/:transactionId',
  summary: 'One payment, for its owner or an Admin: what a printed receipt says',
  access: { who: 'signed-in' },
  params: z.object({ transactionId: TransactionId }),
  reply: Receipt,
})

export const listPayments = endpoint({
  method: 'GET',
  path: '/payments',
  summary:
    "Everybody's card payments, newest first; `q` takes words of a name or address, or a transaction id",
  access: { who: ['Admin'] },
  query: z.object({
    ...paging,
    q: z.optional(z.string().check(z.maxLength(300))),
    status: z.optional(z.enum(['Success', 'Refunded', 'Disputed'])),
  }),
  reply: z.array(AdminPayment),
})

// What the card processor's own servers answer where the sandbox stands in for them. Like there, a browser pays with
// the intent's client secret and the card, and nothing else.
const Attempt = z.object({
  transactionId: z.string(),
  status: z.enum(['succeeded', 'requires_action', 'failed']),
  error: z.nullable(z.object({ code: z.string(), declineCode: z.optional(z.string()), message: z.string() })),
})
const ClientSecret = z.string().check(z.minLength(1), z.maxLength(300))

export const sandboxConfirm = endpoint({
  method: 'POST',
  path: '/sandbox/confirm',
  summary: 'Sandbox only: try to pay an intent with one of the published test cards',
  access: { who: 'anyone' },
  body: z.object({
    clientSecret: ClientSecret,
    number: z.string().check(z.maxLength(40)),
    expMonth: z.int(),
    expYear: z.int(),
    cvc: z.string().check(z.maxLength(10)),
  }),
  reply: Attempt,
  idempotency: 'own',
})

export const sandboxAuthenticate = endpoint({
  method: 'POST',
  path: '/sandbox/authenticate',
  summary: "Sandbox only: answer the question of the card's bank (3-D Secure)",
  access: { who: 'anyone' },
  body: z.object({ clientSecret: ClientSecret, agreed: z.boolean() }),
  reply: Attempt,
  idempotency: 'own',
})

/** `amount` in dollars; a refund without it is whole. */
export const sandboxReverse = endpoint({
  method: 'POST',
  path: '/sandbox/reverse',
  summary: 'Sandbox only: what an operator or a bank does at the card processor afterwards',
  access: { who: ['Admin'] },
  body: z.object({
    transactionId: TransactionId,
    kind: z.enum(['refund', 'dispute', 'dispute_won']),
    amount: z.optional(z.number().check(z.positive())),
  }),
  reply: z.object({ acknowledged: z.boolean() }),
  idempotency: 'own',
})
