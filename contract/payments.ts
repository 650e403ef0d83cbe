import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByEmail, Coins, Email, Id, Paging, Time } from './shapes.ts'

export const Payment = z.object({
  _id: Id,
  email: z.string(),
  coins: Coins,
  price: z.number(),
  transactionId: z.string(),
  date: Time,
  status: z.enum(['Success', 'Refunded', 'Disputed']),
})
export type Payment = z.infer<typeof Payment>

/** `price` names the package, in dollars; the amount charged is the server's own. */
export const createPaymentIntent = endpoint({
  method: 'POST',
  path: '/create-payment-intent',
  summary: 'Begin buying the coin package of this price',
  access: { who: ['Buyer'] },
  body: z.object({ price: z.number() }),
  reply: z.object({ clientSecret: z.string() }),
  idempotency: 'own',
})

/** Every field but `transactionId` is a claim; coins are credited from the server's record and the provider's word. */
export const paymentSuccess = endpoint({
  method: 'POST',
  path: '/payment-success',
  summary: 'Ask the provider about this transaction and credit its coins, once',
  access: { who: ['Buyer'] },
  body: z.object({
    transactionId: z.string().check(z.minLength(1), z.maxLength(300)),
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
  idempotency: 'own',
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
