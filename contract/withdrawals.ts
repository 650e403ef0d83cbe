import * as z from 'zod/mini'
import { latinDigits } from './digits.ts'
import { endpoint } from './endpoint.ts'
import { PAYOUT_STATES } from './payout-states.ts'
import { PAYMENT_SYSTEMS, type PaymentSystem as System } from './product.ts'
import { Risk } from './risk.ts'
import { ByEmail, ById, Coins, Day, Email, Id, Inserted, Paging, Time, text, Updated } from './shapes.ts'

export const PaymentSystem = z.enum(PAYMENT_SYSTEMS)
/** The longest id that a bank or wallet gives a payment. */
export const TRANSACTION_ID_MAX = 100

export const WithdrawalStatus = z.enum(['pending', 'approved', 'declined', 'cancelled'])
export type WithdrawalStatus = z.infer<typeof WithdrawalStatus>

/** `accountNumber` and `account` are two names of the same value. `withdrawal_amount` is in dollars. */
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

/** The format of an account number, as a hint beside the field. */
export const ACCOUNT_NUMBER_HINT: Record<System, string> = {
  Bkash: 'Enter the 11-digit mobile number of the bKash account, like 01712345678',
  Nagad: 'Enter the 11-digit mobile number of the Nagad account, like 01712345678',
  Rocket: 'Enter the 12-digit Rocket account: the mobile number and its check digit',
  Bank: 'Enter bank, branch, account name and account number, 4 to 200 characters',
  Other: 'Enter the payment details, 4 to 200 characters',
}

const MOBILE = /^01[3-9]\d{8}$/
const ROCKET = /^01[3-9]\d{9}$/
/** Visible text on one line. Bidirectional control characters are rejected, because they could disguise a number. */
const FREE_TEXT = /^[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{4,200}$/u

/**
 * Returns the normalized account number, or undefined when it is invalid for the payment system. bKash, Nagad and Rocket
 * use Bangladeshi mobile numbers, which may be typed with Bangla digits, spaces, dashes or +880.
 */
export function accountNumberOf(system: System, typed: string): string | undefined {
  const text = typed.trim().replace(/\s+/g, ' ')
  if (system === 'Bank' || system === 'Other') {
    return FREE_TEXT.test(text) && /[\p{L}\p{N}]/u.test(text) ? text : undefined
  }
  const digits = latinDigits(text)
    .replace(/[\s().\p{Pd}]/gu, '')
    .replace(/^(\+|00)?88(?=0)/, '')
  return (system === 'Rocket' ? ROCKET : MOBILE).test(digits) ? digits : undefined
}

export const Flag = z.enum([
  'disputed_payment',
  'disputed_coins',
  'fraud_warning',
  'shared_card',
  'few_counterparties',
  'new_account',
  'shared_funding',
  'mostly_bonus',
])
export type Flag = z.infer<typeof Flag>

/**
 * The source of a request's coins, for Admins (docs/specification/withdrawals.md): the ten buyers who paid most of them,
 * and how many originate from bonuses, purchases, or elsewhere; these three add up to the request. `disputedCents` of the
 * buyer's card payments are withheld by disputes, and `refundedCents` were refunded.
 */
export const Origin = z.object({
  byBuyer: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      email: z.string(),
      coins: Coins,
      accountAgeDays: z.int(),
      disputedCents: z.int(),
      refundedCents: z.int(),
    }),
  ),
  bonus: Coins,
  purchased: Coins,
  other: Coins,
  flags: z.array(Flag),
})
export type Origin = z.infer<typeof Origin>

/** The latest payout of a request: `claimedBy` is the Admin who has it, `checkedBy` the first of two. */
export const RequestPayout = z.object({
  _id: Id,
  batchId: Id,
  single: z.boolean(),
  state: z.enum(PAYOUT_STATES),
  reference: z.string(),
  claimedBy: z.nullable(z.object({ _id: Id, name: z.string() })),
  claimedAt: Time,
  checkedBy: z.nullable(z.object({ _id: Id, name: z.string() })),
  transactionId: z.string(),
  failure: z.string(),
})
export type RequestPayout = z.infer<typeof RequestPayout>

/** A request as Admins see it. `twoPeople`: one Admin checks the payment, another one pays. */
export const WithdrawalRequest = z.extend(Withdrawal, {
  workerId: Id,
  origin: Origin,
  payout: z.optional(RequestPayout),
  twoPeople: z.optional(z.boolean()),
  /** A corrected account number waits until then; absent when nothing waits. */
  payableAt: z.optional(Time),
  /** Absent before the first assessment. */
  risk: z.optional(Risk),
})
export type WithdrawalRequest = z.infer<typeof WithdrawalRequest>
/**
 * Coins of a worker that cannot be withdrawn yet, by their cause (docs/specification/withdrawals.md#limits). All of them
 * can be from `until`; null where it depends on something else than time.
 */
export const UnavailableCoins = z.object({
  cause: z.enum(['holding', 'card', 'pair', 'sign_up']),
  coins: Coins,
  until: z.nullable(Time),
})
export type UnavailableCoins = z.infer<typeof UnavailableCoins>

/** What the caller can withdraw now, 0 below the minimum: to an account that a payout has verified, and to another one. */
export const Withdrawable = z.object({
  verified: Coins,
  unverified: Coins,
  /** For an account that is not verified. A verified one has no `pair`. */
  later: z.array(z.extend(UnavailableCoins, { from: z.nullable(Time) })),
})
export type Withdrawable = z.infer<typeof Withdrawable>

export const withdrawable = endpoint({
  method: 'GET',
  path: '/withdrawable',
  summary: 'The coins that the caller can withdraw now, and those that can be withdrawn later',
  access: { who: ['Worker'] },
  reply: Withdrawable,
})

export const requestWithdrawal = endpoint({
  method: 'POST',
  path: '/withdraw/:email',
  summary: 'Request a withdrawal: the coins leave the spendable balance at once',
  access: { who: ['Worker'], named: 'path' },
  limit: { perUser: 60, perNetwork: 600 },
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
    /** One of the worker's payout destinations; `accountNumber` is then its `account`. */
    destinationId: z.optional(Id),
    workerName: z.optional(z.unknown()),
    workerEmail: z.optional(Email),
    withdrawal_amount: z.optional(z.number()),
    status: z.optional(z.unknown()),
    formatted: z.optional(z.unknown()),
  }),
  reply: z.extend(Inserted, { post: Inserted }),
})

const requestFilter = {
  /** Pending ones without it. */
  status: z.optional(WithdrawalStatus),
  q: z.optional(z.string().check(z.maxLength(200))),
}

export const pendingWithdrawals = endpoint({
  method: 'GET',
  path: '/withdraw',
  summary: 'Withdrawal requests: pending ones, oldest first; with another `status` the newest first',
  access: { who: ['Admin'] },
  query: z.extend(Paging, requestFilter),
  reply: z.array(WithdrawalRequest),
})

export const withdrawalRequestsFile = endpoint({
  method: 'GET',
  path: '/withdraw-requests/export',
  summary: 'The withdrawal requests that a filter finds, in the order of the list, as CSV',
  access: { who: ['Admin'], fresh: true },
  query: z.object(requestFilter),
  reply: z.unknown(),
})

export const myWithdrawals = endpoint({
  method: 'GET',
  path: '/withdraw/:email',
  summary: "A user's own withdrawals, newest first",
  access: { who: 'signed-in', named: 'path' },
  scope: 'payments:read',
  params: ByEmail,
  query: Paging,
  reply: z.array(Withdrawal),
})

/**
 * `approved` pays out (the "Payment Success" action), with the `transactionId` of the payment if there is one; `declined`, with a
 * reason, returns the coins to the worker. Another Admin's payment of the same request is 409, and so are values (`email`, `coin`,
 * `amount` in dollars, `poisha` or null for a payment in dollars only) that are not those of the request now.
 */
export const withdrawStatus = endpoint({
  method: 'PATCH',
  path: '/withdraw-status/:id',
  summary: 'Decide a withdrawal request, once',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.object({
    status: z.enum(['approved', 'declined']),
    reason: z.optional(text(2_000, 'Enter a reason, so that the worker knows what to do next')),
    transactionId: z.optional(z.string().check(z.trim(), z.maxLength(TRANSACTION_ID_MAX))),
    email: z.optional(Email),
    coin: z.optional(z.number()),
    amount: z.optional(z.number()),
    poisha: z.optional(z.nullable(z.int())),
  }),
  reply: Updated,
})
