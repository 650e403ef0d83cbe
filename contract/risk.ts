import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { FREEZE_CAUSES } from './freezes.ts'
import { Acknowledged, ById, Coins, Id, Time, text } from './shapes.ts'

const Percent = z.int().check(z.minimum(0), z.maximum(100))
const Count = z.int().check(z.minimum(0))
/** The first five users that a reason is about. */
const Users = z.array(z.object({ _id: Id, name: z.string(), email: z.string() }))
/** `percent` of the worker's unspent coins. */
const share = { percent: Percent, users: Users }

/**
 * Every reason of a score with its parameters (docs/specification/risk.md#score). contract/risk-texts.en.ts has the
 * sentences.
 */
export const RISK_REASONS = {
  closed_circle: z.strictObject(share),
  few_workers: z.strictObject(share),
  dependent_workers: z.strictObject(share),
  exclusive_tasks: z.strictObject(share),
  free_coins: z.strictObject({ percent: Percent }),
  own_purchase: z.strictObject({ percent: Percent }),
  middleman: z.strictObject(share),
  disputed: z.strictObject({ ...share, cents: Count }),
  fraud_warning: z.strictObject(share),
  refunded: z.strictObject({ ...share, cents: Count }),
  shared_card: z.strictObject(share),
  card_limits: z.strictObject(share),
  shared_destination: z.strictObject({ others: Count, users: Users }),
  shared_holder: z.strictObject({ others: Count, users: Users }),
  linked_frozen: z.strictObject({ users: Users }),
  high_rewards: z.strictObject({ percent: Percent, coins: Coins, usual: Coins }),
  new_accounts: z.strictObject({ percent: Percent, worker: z.boolean() }),
  /** `others`: the users of the network. */
  shared_network: z.strictObject({ others: Count, sameDevice: z.boolean(), users: Users }),
} as const

export type RiskReasonKind = keyof typeof RISK_REASONS
export type RiskReasonParams<Kind extends RiskReasonKind> = z.infer<(typeof RISK_REASONS)[Kind]>

export const RiskReason = z.object({
  kind: z.enum(Object.keys(RISK_REASONS) as [RiskReasonKind, ...RiskReasonKind[]]),
  points: Percent,
  params: z.record(z.string(), z.unknown()),
})
export type RiskReason = z.infer<typeof RiskReason>

/** The risk of a withdrawal request, for Admins. `stopped`: it is not paid until an Admin clears it. */
export const Risk = z.object({
  workerId: Id,
  score: Percent,
  stopped: z.boolean(),
  reasons: z.array(RiskReason),
  facts: z.object({
    topBuyersPercent: Percent,
    buyers: Count,
    bonusPercent: Percent,
    /** What the users whose coins these are paid by card, less what went back. */
    paidInCents: Count,
    /** What the worker and others with this destination were paid and ask for. */
    askedCents: Count,
    workerAgeDays: Count,
    roleChanges: Count,
  }),
  assessedAt: Time,
  cleared: z.nullable(z.object({ score: Percent, reason: z.string(), by: z.string(), at: Time })),
  /** Live freezes of the request and of its worker. */
  freezes: z.array(
    z.object({
      _id: Id,
      subject: z.enum(['account', 'withdrawal']),
      cause: z.enum(FREEZE_CAUSES),
      reason: z.string(),
      frozenAt: Time,
      response: z.nullable(z.string()),
    }),
  ),
})
export type Risk = z.infer<typeof Risk>

export const clearRisk = endpoint({
  method: 'POST',
  path: '/withdrawals/:id/risk-review',
  summary: 'Clear a pending withdrawal request for payment in spite of its score',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ reason: text(2_000, 'Enter why this request can be paid') }),
  reply: Acknowledged,
})

export const assessRisk = endpoint({
  method: 'POST',
  path: '/withdrawals/:id/risk-assessment',
  summary: 'Assess the risk of a withdrawal request again',
  access: { who: ['Admin'] },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: Risk,
})
