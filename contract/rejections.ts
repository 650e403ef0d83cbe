import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Acknowledged, ById, text } from './shapes.ts'
import { REJECTION_CATEGORIES } from './submission-states.ts'

export const REASON_MAX = 2_000

export const rejectSubmission = endpoint({
  method: 'DELETE',
  path: '/submission-reject/:id',
  summary: 'Reject work; the worker can appeal until the rejection is final',
  access: { who: ['Buyer'] },
  scope: 'review',
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.optional(
    z.nullable(
      z.object({
        reason: z.optional(text(REASON_MAX, 'Enter a reason, so that the worker knows what to improve')),
        category: z.optional(z.enum(REJECTION_CATEGORIES)),
        requirement: z.optional(text(REASON_MAX)),
      }),
    ),
  ),
  reply: z.object({ acknowledged: z.boolean(), deletedCount: z.int() }),
  errors: ['submission_not_found', 'deadline_passed', 'already_decided', 'state_conflict'],
})

export const rejectionRule = endpoint({
  method: 'GET',
  path: '/my-rejection-rule',
  summary: "Whether the caller's next rejection needs a reviewer before it counts",
  access: { who: ['Buyer'] },
  scope: 'review',
  reply: z.object({ needsReviewer: z.boolean() }),
})

export const acceptRejection = endpoint({
  method: 'POST',
  path: '/submissions/:id/acceptance',
  summary: 'Accept a rejection: it is final at once',
  access: { who: 'signed-in' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: Acknowledged,
})

export const concedeRejection = endpoint({
  method: 'POST',
  path: '/submissions/:id/concession',
  summary: 'Take back a rejection that is not final: the worker is paid from escrow',
  access: { who: 'signed-in' },
  scope: 'review',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: Acknowledged,
  errors: ['submission_not_found', 'account_frozen', 'state_conflict'],
})

export const reverseRejection = endpoint({
  method: 'POST',
  path: '/submissions/:id/reversal',
  summary: 'Turn a final rejection into an approval, with coins from the balance',
  access: { who: ['Buyer'] },
  scope: 'review',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: Acknowledged,
  errors: [
    'submission_not_found',
    'account_frozen',
    'user_not_found',
    'deadline_passed',
    'state_conflict',
    'insufficient_coins',
  ],
})

export const reopenSlot = endpoint({
  method: 'POST',
  path: '/submissions/:id/reopened-slot',
  summary: 'Pay for another slot while a rejection is not final; the coins come back if it stands',
  access: { who: ['Buyer'] },
  scope: 'review',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: Acknowledged,
  errors: ['submission_not_found', 'account_frozen', 'task_closed', 'state_conflict', 'insufficient_coins'],
})
