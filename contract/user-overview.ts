import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Coins, Id, Role, Time } from './shapes.ts'
import { PaymentSystem, WithdrawalStatus } from './withdrawals.ts'

const Count = z.int().check(z.minimum(0))
const Cents = z.int().check(z.minimum(0))
const OtherUser = z.object({ _id: Id, name: z.string(), email: z.string(), role: Role })

/** What two users have in common. */
export const LINK_KINDS = ['destination', 'holder', 'card', 'network'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** The decision about a piece of work: by the buyer, or by the end of the review period. A reversed rejection was paid. */
export const DECISIONS = ['approved', 'approved automatically', 'rejected', 'rejection reversed'] as const
export type Decision = (typeof DECISIONS)[number]
export const APPEAL_OUTCOMES = ['open', 'won', 'lost'] as const
export type AppealOutcome = (typeof APPEAL_OUTCOMES)[number]
/** `by`: the user decided or appealed, else the other one did. */
const OfWork = z.extend(OtherUser, {
  submissionId: Id,
  taskId: Id,
  task: z.string(),
  by: z.boolean(),
  at: Time,
})

/** Everything about one user for Admins (docs/specification/users.md#overview-for-admins). Lists have the latest rows. */
export const UserOverview = z.object({
  user: z.object({
    _id: Id,
    name: z.string(),
    email: z.string(),
    image: z.string(),
    role: Role,
    isReviewer: z.boolean(),
    joinedAt: Time,
    lastSeenAt: z.nullable(Time),
    deletedAt: z.nullable(Time),
    isFrozen: z.boolean(),
  }),
  totals: z.object({
    coins: Coins,
    debt: Coins,
    coinsOnHold: Coins,
    coinsInEscrow: Coins,
    paidInCents: Cents,
    returnedCents: Cents,
    paidOutCents: Cents,
    requestedCents: Cents,
    tasks: Count,
    /** The user's own work as a worker. */
    approved: Count,
    rejected: Count,
    pending: Count,
    /** Appeals of the user as a worker, and against them as a buyer. */
    appeals: Count,
    appealsAgainst: Count,
  }),
  destinations: z.array(
    z.object({
      system: PaymentSystem,
      accountNumber: z.string(),
      holderName: z.string(),
      isVerified: z.boolean(),
      isRemoved: z.boolean(),
      firstUsedAt: Time,
    }),
  ),
  sessions: z.array(
    z.object({ device: z.string(), network: z.string(), since: Time, seenAt: Time, isOpen: z.boolean() }),
  ),
  cards: z.array(
    z.object({
      fingerprint: z.string(),
      brand: z.string(),
      last4: z.string(),
      payments: Count,
      cents: Cents,
    }),
  ),
  withdrawals: z.array(
    z.object({
      _id: Id,
      coins: Coins,
      cents: Cents,
      system: PaymentSystem,
      accountNumber: z.string(),
      status: WithdrawalStatus,
      score: z.nullable(Count),
      createdAt: Time,
    }),
  ),
  /** The users with whom most coins moved by work, of the latest 10,000 pieces each way. */
  counterparties: z.array(z.extend(OtherUser, { coinsFrom: Coins, coinsTo: Coins, works: Count })),
  /** Users with the same number, holder, card, or a network of at most 20 users. */
  links: z.array(z.extend(OtherUser, { kind: z.enum(LINK_KINDS), value: z.string() })),
  /** Blocks of the user, and of workers by the user, newest first. `by`: the user is the buyer. */
  blocks: z.array(
    z.extend(OtherUser, {
      blockId: Id,
      by: z.boolean(),
      reason: z.string(),
      createdAt: Time,
      endedAt: z.nullable(Time),
    }),
  ),
  /** The latest decisions of the user about others' work, and of others about the user's work. */
  decisions: z.array(z.extend(OfWork, { decision: z.enum(DECISIONS), reason: z.string() })),
  /** The latest appeals of the user, and against rejections by the user. */
  appeals: z.array(z.extend(OfWork, { outcome: z.enum(APPEAL_OUTCOMES), text: z.string() })),
  /** What Admins did to the user. */
  actions: z.array(
    z.object({
      act: z.string(),
      admin: z.string(),
      adminId: z.nullable(Id),
      at: Time,
      reason: z.string(),
    }),
  ),
})
export type UserOverview = z.infer<typeof UserOverview>

export const userOverview = endpoint({
  method: 'GET',
  path: '/users/:id/overview',
  summary: 'Everything about one user, for Admins',
  access: { who: ['Admin'] },
  params: ById,
  reply: UserOverview,
})

export const SEARCH_KINDS = ['account number', 'holder', 'card', 'network', 'device'] as const

export const searchUsersByTrace = endpoint({
  method: 'GET',
  path: '/user-search',
  summary: 'Users by account number, account holder, card fingerprint, network or device; none without `q`',
  access: { who: ['Admin'] },
  query: z.object({ q: z.optional(z.string().check(z.trim(), z.minLength(3), z.maxLength(200))) }),
  reply: z.array(z.extend(OtherUser, { kind: z.enum(SEARCH_KINDS), value: z.string() })),
})
