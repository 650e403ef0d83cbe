import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Acknowledged, ById, Coins, Id, Paging, Time, text } from './shapes.ts'

/** Who or what froze: an Admin, a dispute of a card payment, or a card that the network suspects. */
export const FREEZE_CAUSES = ['admin', 'dispute', 'card'] as const
const REASON_MAX = 2_000

/**
 * A freeze of a user, or of one withdrawal request (docs/specification/risk.md#freezes). It is live while `endedAt` is
 * null. `withdrawalId` and `coins` are null for a freeze of a user.
 */
export const Freeze = z.object({
  _id: Id,
  subject: z.enum(['account', 'withdrawal']),
  withdrawalId: z.nullable(Id),
  coins: z.nullable(Coins),
  cause: z.enum(FREEZE_CAUSES),
  reason: z.string(),
  frozenAt: Time,
  response: z.nullable(z.string()),
  respondedAt: z.nullable(Time),
  endedAt: z.nullable(Time),
  endReason: z.string(),
})
export type Freeze = z.infer<typeof Freeze>

/** A freeze as Admins see it. `frozenBy` is null when the server froze. */
export const ListedFreeze = z.extend(Freeze, {
  userId: Id,
  name: z.string(),
  email: z.string(),
  frozenBy: z.nullable(z.string()),
  frozenById: z.nullable(Id),
})
export type ListedFreeze = z.infer<typeof ListedFreeze>

const Frozen = z.object({ acknowledged: z.boolean(), freezeId: Id, modifiedCount: z.int() })
const limit = { perUser: 1200, perNetwork: 12_000 }
const admin = { who: ['Admin'], fresh: true } as const
const body = z.object({ reason: text(REASON_MAX, 'Enter a reason. The user will see it.') })

export const freezeUser = endpoint({
  method: 'POST',
  path: '/users/:id/freezes',
  summary: 'Freeze a user: no coins of theirs move until the freeze ends',
  access: admin,
  limit,
  params: ById,
  body,
  reply: Frozen,
})

export const freezeWithdrawal = endpoint({
  method: 'POST',
  path: '/withdrawals/:id/freezes',
  summary: 'Freeze a pending withdrawal request: it is not paid until the freeze ends',
  access: admin,
  limit,
  params: ById,
  body,
  reply: Frozen,
})

export const endFreeze = endpoint({
  method: 'POST',
  path: '/freezes/:id/end',
  summary: 'End a freeze',
  access: admin,
  limit,
  params: ById,
  body,
  reply: z.object({ acknowledged: z.boolean(), modifiedCount: z.int() }),
})

export const FreezeResponse = z.object({ text: text(REASON_MAX, 'Write your response') })

export const respondToFreeze = endpoint({
  method: 'POST',
  path: '/freezes/:id/response',
  summary: "Respond to the caller's own live freeze; a later response replaces the earlier one",
  access: { who: 'signed-in' },
  limit: { perUser: 10, perNetwork: 100 },
  params: ById,
  body: FreezeResponse,
  reply: Acknowledged,
})

export const myFreezes = endpoint({
  method: 'GET',
  path: '/my-freezes',
  summary: "The caller's freezes and those of their withdrawal requests, newest first",
  access: { who: 'signed-in' },
  query: Paging,
  reply: z.array(Freeze),
})

export const listFreezes = endpoint({
  method: 'GET',
  path: '/freezes',
  summary: 'Freezes, newest first: live ones, or with `user` all of one user',
  access: { who: ['Admin'] },
  query: z.extend(Paging, { user: z.optional(Id) }),
  reply: z.array(ListedFreeze),
})
