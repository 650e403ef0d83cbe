import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Coins, Id, Paging, Role, Time } from './shapes.ts'
import { PaymentSystem } from './withdrawals.ts'

const Count = z.int().check(z.minimum(0))

export const USER_SORTS = ['joined', 'name', 'balance', 'seen', 'tasks', 'work', 'approval'] as const
export type UserSort = (typeof USER_SORTS)[number]

/** `risk`: a pending withdrawal request has a score of at least `HIGH_RISK`. */
export const USER_FLAGS = ['frozen', 'risk', 'debt', 'reviewer'] as const
export type UserFlag = (typeof USER_FLAGS)[number]

/** From this score on a request is marked as risky (docs/specification/risk.md#score). */
export const HIGH_RISK = 50

/** A user in the table of Admins (docs/specification/users.md#table-for-admins). */
export const UserTableRow = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  image: z.string(),
  role: Role,
  coins: Coins,
  debt: Coins,
  joinedAt: Time,
  lastSeenAt: z.nullable(Time),
  /** Tasks posted, also closed ones. */
  tasks: Count,
  /** The user's own work that is approved, or rejected for good. */
  work: Count,
  /** Of that work; of a Buyer, of the work on their tasks that was decided in the last 90 days. */
  approvalPercent: z.nullable(z.int()),
  isReviewer: z.boolean(),
  isFrozen: z.boolean(),
  /** The highest score of the user's pending withdrawal requests. */
  riskScore: z.nullable(z.int()),
  destinations: z.array(z.object({ system: PaymentSystem, accountNumber: z.string() })),
})
export type UserTableRow = z.infer<typeof UserTableRow>

const filter = {
  /** The beginning of names and emails, or a whole account number, account holder or user id. */
  q: z.optional(z.string().check(z.maxLength(200))),
  role: z.optional(Role),
  flag: z.optional(z.enum(USER_FLAGS)),
}
export const UserFilter = z.object(filter)

export const userTable = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'Registered users with balance, activity and flags, for Admins',
  access: { who: ['Admin'] },
  query: z.extend(Paging, {
    ...filter,
    sort: z.optional(z.enum(USER_SORTS)),
    order: z.optional(z.enum(['asc', 'desc'])),
  }),
  reply: z.array(UserTableRow),
})

export const userTotals = endpoint({
  method: 'GET',
  path: '/users/totals',
  summary: 'The number of users that a filter finds, with their coins and debts',
  access: { who: ['Admin'] },
  query: UserFilter,
  reply: z.object({ users: Count, coins: Coins, debt: Coins }),
})

export const userTableFile = endpoint({
  method: 'GET',
  path: '/users/export',
  summary: 'The users that a filter finds, newest first, as CSV',
  access: { who: ['Admin'], fresh: true },
  query: UserFilter,
  reply: z.unknown(),
})
