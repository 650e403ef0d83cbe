import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Coins, Time } from './shapes.ts'

/** What can wait for a user, in the order of the screens (docs/specification/screens.md#what-waits). */
export const WaitingKind = z.enum([
  'freezes_without_response',
  'reviews',
  // Admin
  'payout_requests',
  'stopped_payout_requests',
  'payout_batches',
  'payouts_to_confirm',
  'payout_cases',
  'disputes',
  'refunds',
  'unmatched_payments',
  'card_cases',
  'freeze_responses',
  'setting_proposals',
  'unassigned_reviews',
  'messages',
  'failed_jobs',
  // Buyer
  'appeals_without_response',
  'submissions_to_review',
  'tasks_ending',
  // Worker
  'reservations',
  'revisions_requested',
  'rejections_to_appeal',
  'pending_work',
  'disputed_work',
  'pending_withdrawals',
])
export type WaitingKind = z.infer<typeof WaitingKind>

/** The most that are counted of one kind. A `count` of this number means this many or more. */
export const WAITING_MAX = 1000

/** What waits of one kind: how many, their coins or cents in total, the oldest, and the first deadline. */
export const Waiting = z.object({
  kind: WaitingKind,
  count: z.int().check(z.minimum(1), z.maximum(WAITING_MAX)),
  coins: z.nullable(Coins),
  cents: z.nullable(z.int().check(z.minimum(0))),
  oldest: z.nullable(Time),
  deadline: z.nullable(Time),
})
export type Waiting = z.infer<typeof Waiting>

export const waiting = endpoint({
  method: 'GET',
  path: '/waiting',
  summary: 'What waits for the caller, by kind; kinds of which nothing waits are left out',
  access: { who: 'signed-in' },
  scope: 'account:read',
  reply: z.array(Waiting),
})
