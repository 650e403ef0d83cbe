import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Coins, Id, Role } from './shapes.ts'

// Apart from contract/users.ts, which is in the script of every page.

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/delete-user/:id',
  summary:
    'Delete a user: sessions end, tasks close, pending work on them is paid, remaining coins go to the platform account',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: z.object({ acknowledged: z.boolean(), deletedCount: z.int() }),
})

/** The consequences of deleting a user, in numbers, for the confirmation (docs/specification/users.md). */
export const deletionPreview = endpoint({
  method: 'GET',
  path: '/delete-user/:id/preview',
  summary: 'Preview the consequences of deleting this user, in numbers',
  access: { who: ['Admin'] },
  params: ById,
  reply: z.object({
    tasksClosed: z.int(),
    reservationsCancelled: z.int(),
    submissionsPaid: z.int(),
    coinsPaid: Coins,
    slotsReleased: z.int(),
    withdrawalsCancelled: z.int(),
    coinsSwept: Coins,
  }),
})

export const updateRole = endpoint({
  method: 'PUT',
  path: '/update-role/:id',
  summary: "Change a user's role",
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ value: Role }),
  reply: z.object({ acknowledged: z.boolean(), matchedCount: z.int(), modifiedCount: z.int() }),
})

export const setReviewer = endpoint({
  method: 'PUT',
  path: '/users/:id/reviewer',
  summary: 'Give a user the permission to review appeals, or take it away',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ value: z.boolean() }),
  reply: z.object({ acknowledged: z.boolean(), modifiedCount: z.int() }),
})

/** `reviewer` is the permission, which an Admin does not need. */
export const Reviewer = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  reviewer: z.boolean(),
})
export type Reviewer = z.infer<typeof Reviewer>

export const listReviewers = endpoint({
  method: 'GET',
  path: '/reviewers',
  summary: 'Users who may review appeals: those with the permission and Admins, by name',
  access: { who: ['Admin'] },
  reply: z.array(Reviewer),
})
