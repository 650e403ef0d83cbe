import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PAYOUT_BATCH_STATES, PAYOUT_STATES, type PayoutState } from './payout-states.ts'
import { ById, Coins, Day, Id, line, Paging, Time, text, Updated } from './shapes.ts'
import { PaymentSystem, TRANSACTION_ID_MAX } from './withdrawals.ts'

const Admin = z.nullable(z.object({ _id: Id, name: z.string() }))
const Cents = z.int().check(z.minimum(0))
const Count = z.int().check(z.minimum(0))
const TransactionId = z.optional(z.string().check(z.trim(), z.maxLength(TRANSACTION_ID_MAX)))
const REASON_MAX = 2000

/** One attempt to pay a withdrawal. The destination is as it was when the payout was made. */
export const Payout = z.object({
  _id: Id,
  batchId: Id,
  withdrawalId: Id,
  attempt: z.int(),
  reference: z.string(),
  state: z.enum(PAYOUT_STATES),
  workerId: Id,
  workerName: z.string(),
  workerEmail: z.string(),
  payment_system: PaymentSystem,
  accountNumber: z.string(),
  holderName: z.string(),
  bankName: z.string(),
  branch: z.string(),
  routingNumber: z.string(),
  coins: Coins,
  cents: Cents,
  poisha: z.nullable(z.int()),
  feePoisha: z.nullable(z.int()),
  transactionId: z.string(),
  failure: z.string(),
  /** A failed payout whose request still waits for another attempt. */
  retryable: z.boolean(),
  /** A queued or sent payout whose request is frozen, or stopped by its risk, a dispute or the wait of a new account number. */
  stopped: z.boolean(),
  sentAt: z.nullable(Time),
  settledAt: z.nullable(Time),
})
export type Payout = z.infer<typeof Payout>

/** `counts` are its payouts by state, `coins` and `cents` those of its payouts that were not removed. */
export const PayoutBatch = z.object({
  _id: Id,
  state: z.enum(PAYOUT_BATCH_STATES),
  payment_system: z.nullable(PaymentSystem),
  provider: z.nullable(z.string()),
  createdBy: Admin,
  createdAt: Time,
  checkedBy: Admin,
  checkedAt: z.nullable(Time),
  releasedBy: Admin,
  releasedAt: z.nullable(Time),
  exportedAt: z.nullable(Time),
  reconciledAt: z.nullable(Time),
  cancelledAt: z.nullable(Time),
  counts: z.object({
    queued: Count,
    sent: Count,
    confirmed: Count,
    failed: Count,
    unknown: Count,
    removed: Count,
  } satisfies Record<PayoutState, typeof Count>),
  coins: Coins,
  cents: Cents,
  fileSha256: z.nullable(z.string()),
})
export type PayoutBatch = z.infer<typeof PayoutBatch>

/** The names of the payment providers, as PAYOUT_PROVIDER and the screens have them. */
export const PAYOUT_PROVIDERS = ['sandbox'] as const
export type PayoutProviderName = (typeof PAYOUT_PROVIDERS)[number]
const Provider = z.enum(PAYOUT_PROVIDERS)

/**
 * `twoPeople`: the settings want one Admin to check it and another one to release it. `providers`: the payment providers that
 * are set up here and can pay it; by hand and by a file is always possible. `rate`: the taka for one dollar, locked at the
 * release; null before it, and where there was none.
 */
export const PayoutBatchDetails = z.extend(PayoutBatch, {
  twoPeople: z.boolean(),
  rate: z.nullable(z.string()),
  providers: z.array(Provider),
  payouts: z.array(Payout),
})
export type PayoutBatchDetails = z.infer<typeof PayoutBatchDetails>

export const PAYOUTS_PER_BATCH_MAX = 500

const batchFilter = {
  state: z.optional(z.enum(PAYOUT_BATCH_STATES)),
  /** Days in UTC on which it was created, both included. */
  from: z.optional(Day),
  to: z.optional(Day),
}
export const PayoutBatchFilter = z.object(batchFilter)
export type PayoutBatchFilter = z.infer<typeof PayoutBatchFilter>

export const listPayoutBatches = endpoint({
  method: 'GET',
  path: '/payout-batches',
  summary: 'Payout batches, newest first, without the payout batches of one of single payments',
  access: { who: ['Admin'] },
  query: z.extend(Paging, batchFilter),
  reply: z.array(PayoutBatch),
})

/** Payouts that were removed from their batch are not counted. */
export const payoutBatchTotals = endpoint({
  method: 'GET',
  path: '/payout-batches/totals',
  summary: 'The number of payout batches that a filter finds, with the sums of their payouts',
  access: { who: ['Admin'] },
  query: PayoutBatchFilter,
  reply: z.object({ batches: Count, payouts: Count, coins: Coins, cents: Cents }),
})

export const payoutBatchesFile = endpoint({
  method: 'GET',
  path: '/payout-batches/export',
  summary: 'The payout batches that a filter finds, newest first, as CSV',
  access: { who: ['Admin'], fresh: true },
  query: PayoutBatchFilter,
  reply: z.unknown(),
})

export const payoutBatch = endpoint({
  method: 'GET',
  path: '/payout-batches/:id',
  summary: 'A payout batch with its payouts',
  access: { who: ['Admin'] },
  params: ById,
  reply: PayoutBatchDetails,
})

export const createPayoutBatch = endpoint({
  method: 'POST',
  path: '/payout-batches',
  summary: 'Create a payout batch of these withdrawal requests, all or none',
  access: { who: ['Admin'] },
  limit: { perUser: 600, perNetwork: 6000 },
  body: z.object({
    withdrawalIds: z.array(Id).check(z.minLength(1), z.maxLength(PAYOUTS_PER_BATCH_MAX)),
    /** The API that makes the payouts after the release; without it they are made by hand or by a file. */
    provider: z.optional(Provider),
  }),
  reply: z.object({ acknowledged: z.boolean(), insertedId: Id, payouts: Count }),
  status: 201,
})

export const checkPayoutBatch = endpoint({
  method: 'POST',
  path: '/payout-batches/:id/check',
  summary: 'Check a draft; where two Admins are needed, the other one releases it',
  access: { who: ['Admin'] },
  limit: { perUser: 600, perNetwork: 6000 },
  params: ById,
  reply: Updated,
})

/** `provider` null: by hand or by a file. */
export const setPayoutProvider = endpoint({
  method: 'PUT',
  path: '/payout-batches/:id/provider',
  summary: 'Choose the payment provider that pays a draft after its release',
  access: { who: ['Admin'] },
  limit: { perUser: 600, perNetwork: 6000 },
  params: ById,
  body: z.object({ provider: z.nullable(Provider) }),
  reply: Updated,
})

export const releasePayoutBatch = endpoint({
  method: 'POST',
  path: '/payout-batches/:id/release',
  summary: 'Release a payout batch: its payouts count as sent',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 600, perNetwork: 6000 },
  params: ById,
  reply: Updated,
})

export const cancelPayoutBatch = endpoint({
  method: 'POST',
  path: '/payout-batches/:id/cancel',
  summary: 'Cancel a payout batch that was not released; its requests wait again',
  access: { who: ['Admin'] },
  limit: { perUser: 600, perNetwork: 6000 },
  params: ById,
  reply: Updated,
})

export const confirmPayoutBatch = endpoint({
  method: 'POST',
  path: '/payout-batches/:id/confirm',
  summary: 'Confirm every payout of a payout batch that was sent, or these of them, after paying them',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 600, perNetwork: 6000 },
  params: ById,
  body: z.object({
    transactionId: TransactionId,
    payoutIds: z.optional(z.array(Id).check(z.maxLength(PAYOUTS_PER_BATCH_MAX))),
  }),
  reply: Updated,
})

export const removePayout = endpoint({
  method: 'DELETE',
  path: '/payouts/:id',
  summary: 'Remove a payout from a payout batch that was not released',
  access: { who: ['Admin'] },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  reply: Updated,
})

export const confirmPayout = endpoint({
  method: 'POST',
  path: '/payouts/:id/confirm',
  summary: 'Confirm that a sent payout arrived',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.object({ transactionId: TransactionId }),
  reply: Updated,
})

/** `returnCoins`: the request is declined with the reason; otherwise it waits for another attempt. */
export const failPayout = endpoint({
  method: 'POST',
  path: '/payouts/:id/fail',
  summary: 'Record that a sent payout did not arrive',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.object({
    reason: text(REASON_MAX, 'Enter the reason'),
    returnCoins: z.boolean(),
  }),
  reply: Updated,
})

export const markPayoutUnknown = endpoint({
  method: 'POST',
  path: '/payouts/:id/unknown',
  summary: 'Record that nobody knows whether a sent payout arrived',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.object({ reason: text(REASON_MAX, 'Enter the reason') }),
  reply: Updated,
})

export const retryPayout = endpoint({
  method: 'POST',
  path: '/payouts/:id/retry',
  summary: 'Make a new attempt of a failed payout, claimed by the caller',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.object({ accountNumber: text(200, 'Account number is required') }),
  reply: Updated,
})

const ByWithdrawal = z.object({ withdrawalId: Id })

/**
 * `reason`: takes the claim over from another Admin, and is kept in the audit log. `awaitsSecond`: the payment needs two Admins, and
 * another one has to pay.
 */
export const claimPayout = endpoint({
  method: 'POST',
  path: '/payout-claims/:withdrawalId',
  summary: 'Claim a withdrawal request: other Admins see who pays it',
  access: { who: ['Admin'] },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ByWithdrawal,
  body: z.object({ reason: z.optional(line(REASON_MAX, 'Enter a reason for the audit log')) }),
  reply: z.extend(Updated, { awaitsSecond: z.boolean() }),
})

export const releasePayoutClaim = endpoint({
  method: 'DELETE',
  path: '/payout-claims/:withdrawalId',
  summary: "Release the caller's claim",
  access: { who: ['Admin'] },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ByWithdrawal,
  reply: Updated,
})
