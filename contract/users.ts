import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Locale } from './locales.ts'
import { BuyerRecord, WorkerRecord } from './records.ts'
import { ByEmail, ById, Coins, Email, Id, Name, Paging, PictureUrl, Role } from './shapes.ts'

/**
 * A user's own record. Clients read `name` also as `user`, and `image` as `img` (docs/specification/api.md). `debt` is the
 * coins that the next coins repay first (docs/specification/payments.md#refunds-and-disputes).
 */
export const User = z.object({
  _id: Id,
  name: z.string(),
  user: z.string(),
  email: z.string(),
  image: z.string(),
  img: z.string(),
  role: Role,
  coin: Coins,
  debt: Coins,
  /** The coins that a Buyer can spend now, where starting coins cannot yet (docs/specification/coins.md#starting-coins). */
  spendable: z.optional(Coins),
  wallet: Coins,
  /** Whether they may review appeals (docs/specification/appeals.md#reviewers). */
  reviewer: z.boolean(),
  /** The language of their notifications and emails. */
  locale: Locale,
  createdAt: z.iso.datetime(),
})
export type User = z.infer<typeof User>

/** The public fields of a user (docs/specification/users.md). */
export const PublicUser = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  image: z.string(),
  role: Role,
})
export type PublicUser = z.infer<typeof PublicUser>

/** What everybody may know of a user before working with them (docs/specification/records.md). */
export const PublicProfile = z.extend(PublicUser, {
  /** Null for a user who posted no tasks, and while nothing is decided. */
  buyerRecord: z.nullable(BuyerRecord),
  /** Null for a user who submitted nothing, and while nothing is decided. */
  workerRecord: z.nullable(WorkerRecord),
})
export type PublicProfile = z.infer<typeof PublicProfile>

export const TopWorker = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  image: z.string(),
  coin: Coins,
})
export type TopWorker = z.infer<typeof TopWorker>

/**
 * Registers the signed-in identity as a Worker or a Buyer (docs/specification/users.md). `coin` and `wallet` are shown
 * values and are ignored. `roll` is the Google client's spelling of `role`. Without `locale` the user has the language
 * that `Accept-Language` prefers.
 */
export const registerUser = endpoint({
  method: 'POST',
  path: '/user-data',
  summary:
    'Register the signed-in identity; a repeated request returns the existing record and changes nothing',
  access: { who: 'session' },
  limit: { perUser: 60, perNetwork: 600 },
  body: z.object({
    name: z.optional(Name),
    email: Email,
    role: z.optional(Role),
    roll: z.optional(Role),
    coin: z.optional(z.number()),
    wallet: z.optional(z.number()),
    image: z.optional(z.nullable(PictureUrl)),
    locale: z.optional(Locale),
  }),
  reply: z.object({ acknowledged: z.boolean(), insertedId: z.nullable(Id), user: User }),
})

export const userDetails = endpoint({
  method: 'GET',
  path: '/user-details/:email',
  summary: "A user's own record",
  access: { who: 'signed-in', named: 'path' },
  scope: 'account:read',
  params: ByEmail,
  reply: User,
  errors: ['user_not_found'],
})

export const CoinRole = z.object({
  _id: Id,
  email: z.string(),
  name: z.string(),
  role: Role,
  coin: Coins,
  wallet: Coins,
})

export const coinRole = endpoint({
  method: 'GET',
  path: '/coin-role/:email',
  summary: "A user's coins and role",
  access: { who: 'signed-in', named: 'path' },
  scope: 'account:read',
  params: ByEmail,
  reply: CoinRole,
  errors: ['user_not_found'],
})

/** Changes what is given of the caller's name, picture and language. Receipts keep the name they were issued to. */
export const changeProfile = endpoint({
  method: 'PUT',
  path: '/profile',
  summary: "Change the caller's name, picture and language",
  access: { who: 'signed-in' },
  limit: { perUser: 30, perNetwork: 300 },
  body: z.object({ name: z.optional(Name), image: z.optional(PictureUrl), locale: z.optional(Locale) }),
  reply: User,
  idempotency: 'own',
})

/** The response is a JSON file without a fixed schema. */
export const myData = endpoint({
  method: 'GET',
  path: '/my-data/:email',
  summary: 'All data stored about a user, as a JSON file',
  access: { who: 'signed-in', named: 'path', fresh: true },
  params: ByEmail,
  reply: z.unknown(),
})

export const topWorkers = endpoint({
  method: 'GET',
  path: '/top-workers',
  summary: 'The workers with the most coins, highest balance first',
  access: { who: 'anyone', token: 'optional' },
  boundedStaleness: true,
  query: Paging,
  reply: z.array(TopWorker),
})

export const publicProfile = endpoint({
  method: 'GET',
  path: '/users/:id',
  summary: "A user's public fields and records",
  access: { who: 'anyone', token: 'optional' },
  boundedStaleness: true,
  params: ById,
  reply: PublicProfile,
})

export const PublicUserSort = z.enum(['newest', 'approved'])

export const allUsers = endpoint({
  method: 'GET',
  path: '/get-all-user',
  summary: 'All registered users, newest first or by approved work',
  access: { who: 'anyone', token: 'optional' },
  shared: true,
  boundedStaleness: true,
  query: z.extend(Paging, {
    q: z.optional(z.string().check(z.maxLength(200))),
    role: z.optional(Role),
    /** `approved`: Workers with decided work, most approved first, then all others, newest first. */
    sort: z.optional(PublicUserSort),
  }),
  reply: z.array(PublicProfile),
})
