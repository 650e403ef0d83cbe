import * as z from 'zod/mini'
import { latinDigits } from './digits.ts'
import { endpoint } from './endpoint.ts'
import type { PaymentSystem as System } from './product.ts'
import { ById, Id, line, Time, text } from './shapes.ts'
import { accountNumberOf, PaymentSystem } from './withdrawals.ts'

/** The payout destinations that a user can have at a time. */
export const DESTINATIONS_MAX = 5
/** The destinations that a user can add or change within 24 hours. Each is mailed, so this also limits the mails. */
export const DESTINATION_CHANGES_PER_DAY = 10

const HOLDER_MAX = 60
const BANK_MAX = 50
const BRANCH_MAX = 40

/** The format of each field, as a hint beside it. */
export const BANK_ACCOUNT_HINT = 'Enter the account number, 8 to 17 digits'
export const ROUTING_NUMBER_HINT = 'Enter the 9-digit routing number of the branch. It may begin with a zero'

/**
 * Returns the normalized account number of a destination, or undefined when it is invalid for the payment system. A bank
 * account is a number here; its bank, branch and holder have fields of their own.
 */
export function destinationNumberOf(system: System, typed: string): string | undefined {
  if (system !== 'Bank') return accountNumberOf(system, typed)
  const digits = digitsOf(typed)
  return /^\d{8,17}$/.test(digits) ? digits : undefined
}

/** Returns the normalized routing number, or undefined when it is invalid. */
export function routingNumberOf(typed: string): string | undefined {
  const digits = digitsOf(typed)
  return /^\d{9}$/.test(digits) ? digits : undefined
}

/** Replaces Bangla digits and removes spaces, dashes and dots. */
function digitsOf(typed: string): string {
  return latinDigits(typed).replace(/[\s.\p{Pd}]/gu, '')
}

const ROUTING_WEIGHTS = [5, 7, 1, 5, 7, 1, 5, 7, 1]

/**
 * Returns whether the check digit of a routing number is right. The rule was found in the numbers of Bangladeshi banks and
 * is not published, so a wrong digit is a warning (docs/decisions/0041-payout-destinations.md).
 */
export function hasRoutingCheckDigit(routingNumber: string): boolean {
  const sum = ROUTING_WEIGHTS.reduce((total, weight, at) => total + weight * Number(routingNumber[at]), 0)
  return sum % 10 === 0
}

/** Rejects bidirectional control characters, because they could disguise a name or number. */
const plain = (max: number, required?: string) =>
  line(max, required).check(
    z.refine(
      (typed) => !/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(typed),
      'Use visible characters only',
    ),
  )

/**
 * A destination without its verification. `bankName` and `routingNumber` are required for bank accounts; they and
 * `branch` are ignored otherwise.
 */
export const DestinationInput = z.object({
  payment_system: PaymentSystem,
  accountNumber: text(200, 'Account number is required'),
  holderName: plain(HOLDER_MAX, "Account holder's name is required"),
  bankName: z.optional(plain(BANK_MAX, 'Bank is required')),
  branch: z.optional(plain(BRANCH_MAX)),
  routingNumber: z.optional(plain(40, 'Routing number is required')),
})
export type DestinationInput = z.infer<typeof DestinationInput>

/**
 * A user's payout destination. `account` is how a withdrawal request names it. It can be used from `usableAt`, and is
 * verified by its first confirmed payout.
 */
export const Destination = z.object({
  _id: Id,
  payment_system: PaymentSystem,
  accountNumber: z.string(),
  account: z.string(),
  holderName: z.string(),
  bankName: z.string(),
  branch: z.string(),
  routingNumber: z.string(),
  state: z.enum(['unverified', 'verified']),
  usableAt: Time,
  verifiedAt: z.nullable(Time),
  createdAt: Time,
  /** What looks wrong and is accepted. */
  warnings: z.array(z.enum(['routing_check_digit'])),
})
export type Destination = z.infer<typeof Destination>

export const listDestinations = endpoint({
  method: 'GET',
  path: '/payout-destinations',
  summary: "The caller's payout destinations, newest first",
  access: { who: 'signed-in' },
  reply: z.array(Destination),
})

export const addDestination = endpoint({
  method: 'POST',
  path: '/payout-destinations',
  summary: 'Add a payout destination; it can be used after the waiting time, and an email reports it',
  access: { who: ['Worker'], fresh: true },
  limit: { perUser: 60, perNetwork: 600 },
  body: DestinationInput,
  reply: Destination,
  idempotency: 'own',
})

/** The response has a new id: the earlier destination is removed and stays in the history. */
export const changeDestination = endpoint({
  method: 'PATCH',
  path: '/payout-destinations/:id',
  summary: 'Replace a payout destination by another account, with a waiting time and an email',
  access: { who: ['Worker'], fresh: true },
  limit: { perUser: 60, perNetwork: 600 },
  params: ById,
  body: DestinationInput,
  reply: Destination,
  idempotency: 'own',
})

export const removeDestination = endpoint({
  method: 'DELETE',
  path: '/payout-destinations/:id',
  summary: 'Remove a payout destination; requests to it stay',
  access: { who: 'signed-in', fresh: true },
  limit: { perUser: 60, perNetwork: 600 },
  params: ById,
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})
