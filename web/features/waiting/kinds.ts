import type { WaitingKind } from '#contract/waiting.ts'
import { pluralize } from '#web/lib/format.ts'

type Kind = {
  /** The screen that shows it. */
  to: string
  /** The sidebar's screen that counts it; by default `to`. */
  countedAt?: string
  /** Names how many: "2 failed background jobs". A number that ends in "+" is a plural. */
  name: (count: number) => string
  /** Says what the first deadline means, by the time until then: "first ends in 5 hours". */
  deadline?: (left: string) => string
  /** Others act next: it is listed apart and counted nowhere. */
  inProgress?: true
}

const counted =
  (singular: string, plural = `${singular}s`) =>
  (count: number) =>
    pluralize(count, singular, plural)
const timeLeft = (left: string) => `${left} left`

/** How each kind of what waits is shown, in the order of the list. */
export const WAITING_KINDS: Record<WaitingKind, Kind> = {
  freezes_without_response: {
    to: '/dashboard/account-freeze',
    name: counted('freeze to respond to', 'freezes to respond to'),
  },
  payout_requests: { to: '/dashboard/withdraw-request', name: counted('payout request') },
  stopped_payout_requests: {
    to: '/dashboard/withdraw-request',
    name: counted(
      'payout request stopped by risk or a freeze',
      'payout requests stopped by risk or a freeze',
    ),
  },
  payout_batches: {
    to: '/dashboard/payouts',
    name: counted('payout batch to check or release', 'payout batches to check or release'),
  },
  payouts_to_confirm: {
    to: '/dashboard/payouts',
    name: counted('payout sent, not confirmed', 'payouts sent, not confirmed'),
  },
  payout_cases: {
    to: '/dashboard/payout-statements',
    name: counted('difference in payout statements', 'differences in payout statements'),
  },
  disputes: {
    to: '/dashboard/disputes',
    name: counted('dispute to respond to', 'disputes to respond to'),
    deadline: (left) => `evidence due in ${left}`,
  },
  refunds: {
    to: '/dashboard/payments',
    name: counted('refund for a second Admin', 'refunds for a second Admin'),
  },
  unmatched_payments: { to: '/dashboard/unmatched-payments', name: counted('unmatched payment') },
  card_cases: {
    to: '/dashboard/reconciliation',
    name: counted('difference at the card processor', 'differences at the card processor'),
  },
  freeze_responses: {
    to: '/dashboard/freezes',
    name: counted('response to a freeze', 'responses to freezes'),
  },
  unassigned_reviews: {
    to: '/dashboard/appeals',
    name: counted('appeal without a reviewer', 'appeals without a reviewer'),
    deadline: (left) => `first is paid in ${left}`,
  },
  messages: { to: '/dashboard/messages', name: counted('message to reply to', 'messages to reply to') },
  failed_jobs: { to: '/dashboard/jobs', name: counted('failed background job') },
  reviews: {
    to: '/dashboard/reviews',
    name: counted('appeal to decide', 'appeals to decide'),
    deadline: (left) => `first due in ${left}`,
  },
  appeals_without_response: {
    to: '/dashboard/rejected-task?state=appealed',
    countedAt: '/dashboard/task-to-review',
    name: counted('appeal to respond to', 'appeals to respond to'),
    deadline: (left) => `first is paid in ${left}`,
  },
  submissions_to_review: {
    to: '/dashboard/task-to-review',
    name: counted('submission to review', 'submissions to review'),
    deadline: (left) => `first is approved automatically in ${left}`,
  },
  tasks_ending: {
    to: '/dashboard/my-task',
    name: counted('task ending soon with open slots', 'tasks ending soon with open slots'),
    deadline: (left) => `first ends in ${left}`,
    inProgress: true,
  },
  reservations: {
    to: '/dashboard/available-task',
    name: counted('reserved task'),
    deadline: timeLeft,
  },
  revisions_requested: {
    to: '/dashboard/my-submisson?status=pending',
    countedAt: '/dashboard/my-submisson',
    name: counted('revision requested', 'revisions requested'),
    deadline: timeLeft,
  },
  rejections_to_appeal: {
    to: '/dashboard/my-submisson?status=rejected',
    countedAt: '/dashboard/my-submisson',
    name: counted('rejection you can appeal', 'rejections you can appeal'),
    deadline: timeLeft,
  },
  pending_work: {
    to: '/dashboard/my-submisson?status=pending',
    name: counted('submission in review', 'submissions in review'),
    deadline: (left) => `next is paid in ${left} at the latest`,
    inProgress: true,
  },
  disputed_work: {
    to: '/dashboard/my-submisson?status=rejected',
    name: counted('rejection you appealed', 'rejections you appealed'),
    deadline: (left) => `next is decided in ${left} at the latest`,
    inProgress: true,
  },
  pending_withdrawals: {
    to: '/dashboard/withDrawal-form',
    name: counted('withdrawal requested', 'withdrawals requested'),
    inProgress: true,
  },
}
