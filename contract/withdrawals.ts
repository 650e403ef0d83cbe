import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PAYMENT_SYSTEMS } from './product.ts'
import { ByEmail, ById, Coins, Day, Email, Id, Inserted, Paging, Time, text, Updated } from './shapes.ts'

export const PaymentSystem = z.enum(PAYMENT_SYSTEMS)
export const WithdrawalStatus = z.enum(['pending', 'approved', 'declined', 'cancelled'])
export type WithdrawalStatus = z.infer<typeof WithdrawalStatus>

/** `accountNumber` and `account` are the wire's two readings of one thing. `withdrawal_amount` is dollars. */
export const Withdrawal = z.object({
  _id: Id,
  workerName: z.string(),
  workerEmail: z.string(),
  withdrawalCoin: Coins,
  withdrawal_amount: z.number(),
  payment_system: PaymentSystem,
  accountNumber: z.string(),
  account: z.string(),
  status: WithdrawalStatus,
  formatted: Day,
  reason: z.string(),
  createdAt: Time,
  decidedAt: z.nullable(Time),
})
export type Withdrawal = z.infer<typeof Withdrawal>

export const Flag = z.enum(['few_counterparties', 'new_account', 'shared_funding', 'mostly_bonus'])
export type Flag = z.infer<typeof Flag>

/** Where the coins of a request came from, for the Admin's eyes (decisions.md §3, the last point). */
export const Origin = z.object({
  byBuyer: z.array(z.object({ name: z.string(), email: z.string(), coins: Coins, accountAgeDays: z.int() })),
  bonus: Coins,
  purchased: Coins,
  other: Coins,
  flags: z.array(Flag),
})
export type Origin = z.infer<typeof Origin>

export const requestWithdrawal = endpoint({
  method: 'POST',
  path: '/withdraw/:email',
  summary: 'Ask for a payout: the coins leave the spendable balance at once',
  access: { who: ['Worker'], named: 'path' },
  params: ByEmail,
  body: z.object({
    withdrawalCoin: z
      .int('Enter a whole number of coins')
      .check(
        z.minimum(1, 'Minimum withdraw amount is 200 coins.'),
        z.maximum(1_000_000_000_000, "Can't withdraw more than available coins."),
      ),
    payment_system: PaymentSystem,
    accountNumber: text(200, 'Account number is required'),
    workerName: z.optional(z.unknown()),
    workerEmail: z.optional(Email),
    withdrawal_amount: z.optional(z.number()),
    status: z.optional(z.unknown()),
    formatted: z.optional(z.unknown()),
  }),
  reply: z.extend(Inserted, { post: Inserted }),
})

export const pendingWithdrawals = endpoint({
  method: 'GET',
  path: '/withdraw',
  summary: 'Withdrawal requests, oldest first; pending ones unless `status` says otherwise',
  access: { who: ['Admin'] },
  query: z.extend(Paging, {
    status: z.optional(WithdrawalStatus),
    q: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.array(z.extend(Withdrawal, { origin: Origin })),
})

export const myWithdrawals = endpoint({
  method: 'GET',
  path: '/withdraw/:email',
  summary: "A person's own withdrawals, newest first",
  access: { who: 'signed-in', named: 'path' },
  params: ByEmail,
  query: Paging,
  reply: z.array(Withdrawal),
})

/** `approved` pays out (the "Payment Success" action); `declined`, with a reason, returns the coins to the worker. */
export const withdrawStatus = endpoint({
  method: 'PATCH',
  path: '/withdraw-status/:id',
  summary: 'Decide a withdrawal request, once',
  access: { who: ['Admin'] },
  params: ById,
  body: z.object({
    status: z.enum(['approved', 'declined']),
    reason: z.optional(text(2_000, 'Say why, so that the worker knows what to do')),
    email: z.optional(Email),
    coin: z.optional(z.number()),
    amount: z.optional(z.number()),
  }),
  reply: Updated,
})
