import type { WaitingKind } from '#contract/waiting.ts'

type Kind = {
  /** The screen that shows it. */
  to: string
  /** The sidebar's screen that counts it; by default `to`. */
  countedAt?: string
  /** Others act next: it is listed apart and counted nowhere. */
  inProgress?: true
}

/** Where each kind of what waits is shown, in the order of the list. Its texts are in `names.ts`. */
export const WAITING_KINDS: Record<WaitingKind, Kind> = {
  freezes_without_response: { to: '/dashboard/account-freeze' },
  payout_requests: { to: '/dashboard/withdraw-request' },
  stopped_payout_requests: { to: '/dashboard/withdraw-request' },
  payout_batches: { to: '/dashboard/payouts' },
  payouts_to_confirm: { to: '/dashboard/payouts' },
  payout_cases: { to: '/dashboard/payout-statements' },
  disputes: { to: '/dashboard/disputes' },
  refunds: { to: '/dashboard/payments' },
  unmatched_payments: { to: '/dashboard/unmatched-payments' },
  card_cases: { to: '/dashboard/reconciliation' },
  freeze_responses: { to: '/dashboard/freezes' },
  setting_proposals: { to: '/dashboard/settings' },
  unassigned_reviews: { to: '/dashboard/appeals' },
  messages: { to: '/dashboard/messages' },
  failed_jobs: { to: '/dashboard/jobs' },
  reviews: { to: '/dashboard/reviews' },
  appeals_without_response: {
    to: '/dashboard/rejected-task?state=appealed',
    countedAt: '/dashboard/task-to-review',
  },
  submissions_to_review: { to: '/dashboard/task-to-review' },
  tasks_ending: { to: '/dashboard/my-task', inProgress: true },
  reservations: { to: '/dashboard/available-task' },
  revisions_requested: {
    to: '/dashboard/my-submisson?status=revision_requested',
    countedAt: '/dashboard/my-submisson',
  },
  rejections_to_appeal: {
    to: '/dashboard/my-submisson?status=rejection_open',
    countedAt: '/dashboard/my-submisson',
  },
  pending_work: { to: '/dashboard/my-submisson?status=pending', inProgress: true },
  disputed_work: { to: '/dashboard/my-submisson?status=rejected', inProgress: true },
  pending_withdrawals: { to: '/dashboard/withDrawal-form', inProgress: true },
}
