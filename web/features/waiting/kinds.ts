import { plural, t } from '@lingui/core/macro'
import type { WaitingKind } from '#contract/waiting.ts'

type Kind = {
  /** The screen that shows it. */
  to: string
  /** The sidebar's screen that counts it; by default `to`. */
  countedAt?: string
  /** Names how many: "2 failed background jobs". `shown` is the count as text, with a "+" when there are more. */
  name: (count: number, shown: string) => string
  /** Says what the first deadline means, by the time until then: "first ends in 5 hours". */
  deadline?: (left: string) => string
  /** Others act next: it is listed apart and counted nowhere. */
  inProgress?: true
}

const timeLeft = (left: string) => t`${left} left`

/** How each kind of what waits is shown, in the order of the list. */
export const WAITING_KINDS: Record<WaitingKind, Kind> = {
  freezes_without_response: {
    to: '/dashboard/account-freeze',
    name: (count, shown) =>
      plural(count, { one: `${shown} freeze to respond to`, other: `${shown} freezes to respond to` }),
  },
  payout_requests: {
    to: '/dashboard/withdraw-request',
    name: (count, shown) =>
      plural(count, { one: `${shown} payout request`, other: `${shown} payout requests` }),
  },
  stopped_payout_requests: {
    to: '/dashboard/withdraw-request',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} payout request stopped by risk or a freeze`,
        other: `${shown} payout requests stopped by risk or a freeze`,
      }),
  },
  payout_batches: {
    to: '/dashboard/payouts',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} payout batch to check or release`,
        other: `${shown} payout batches to check or release`,
      }),
  },
  payouts_to_confirm: {
    to: '/dashboard/payouts',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} payout sent, not confirmed`,
        other: `${shown} payouts sent, not confirmed`,
      }),
  },
  payout_cases: {
    to: '/dashboard/payout-statements',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} difference in payout statements`,
        other: `${shown} differences in payout statements`,
      }),
  },
  disputes: {
    to: '/dashboard/disputes',
    name: (count, shown) =>
      plural(count, { one: `${shown} dispute to respond to`, other: `${shown} disputes to respond to` }),
    deadline: (left) => t`evidence due in ${left}`,
  },
  refunds: {
    to: '/dashboard/payments',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} refund for a second Admin`,
        other: `${shown} refunds for a second Admin`,
      }),
  },
  unmatched_payments: {
    to: '/dashboard/unmatched-payments',
    name: (count, shown) =>
      plural(count, { one: `${shown} unmatched payment`, other: `${shown} unmatched payments` }),
  },
  card_cases: {
    to: '/dashboard/reconciliation',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} difference at the card processor`,
        other: `${shown} differences at the card processor`,
      }),
  },
  freeze_responses: {
    to: '/dashboard/freezes',
    name: (count, shown) =>
      plural(count, { one: `${shown} response to a freeze`, other: `${shown} responses to freezes` }),
  },
  unassigned_reviews: {
    to: '/dashboard/appeals',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} appeal without a reviewer`,
        other: `${shown} appeals without a reviewer`,
      }),
    deadline: (left) => t`first is paid in ${left}`,
  },
  messages: {
    to: '/dashboard/messages',
    name: (count, shown) =>
      plural(count, { one: `${shown} message to reply to`, other: `${shown} messages to reply to` }),
  },
  failed_jobs: {
    to: '/dashboard/jobs',
    name: (count, shown) =>
      plural(count, { one: `${shown} failed background job`, other: `${shown} failed background jobs` }),
  },
  reviews: {
    to: '/dashboard/reviews',
    name: (count, shown) =>
      plural(count, { one: `${shown} appeal to decide`, other: `${shown} appeals to decide` }),
    deadline: (left) => t`first due in ${left}`,
  },
  appeals_without_response: {
    to: '/dashboard/rejected-task?state=appealed',
    countedAt: '/dashboard/task-to-review',
    name: (count, shown) =>
      plural(count, { one: `${shown} appeal to respond to`, other: `${shown} appeals to respond to` }),
    deadline: (left) => t`first is paid in ${left}`,
  },
  submissions_to_review: {
    to: '/dashboard/task-to-review',
    name: (count, shown) =>
      plural(count, { one: `${shown} submission to review`, other: `${shown} submissions to review` }),
    deadline: (left) => t`first is approved automatically in ${left}`,
  },
  tasks_ending: {
    to: '/dashboard/my-task',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} task ending soon with open slots`,
        other: `${shown} tasks ending soon with open slots`,
      }),
    deadline: (left) => t`first ends in ${left}`,
    inProgress: true,
  },
  reservations: {
    to: '/dashboard/available-task',
    name: (count, shown) =>
      plural(count, { one: `${shown} reserved task`, other: `${shown} reserved tasks` }),
    deadline: timeLeft,
  },
  revisions_requested: {
    to: '/dashboard/my-submisson?status=pending',
    countedAt: '/dashboard/my-submisson',
    name: (count, shown) =>
      plural(count, { one: `${shown} revision requested`, other: `${shown} revisions requested` }),
    deadline: timeLeft,
  },
  rejections_to_appeal: {
    to: '/dashboard/my-submisson?status=rejected',
    countedAt: '/dashboard/my-submisson',
    name: (count, shown) =>
      plural(count, {
        one: `${shown} rejection you can appeal`,
        other: `${shown} rejections you can appeal`,
      }),
    deadline: timeLeft,
  },
  pending_work: {
    to: '/dashboard/my-submisson?status=pending',
    name: (count, shown) =>
      plural(count, { one: `${shown} submission in review`, other: `${shown} submissions in review` }),
    deadline: (left) => t`next is paid in ${left} at the latest`,
    inProgress: true,
  },
  disputed_work: {
    to: '/dashboard/my-submisson?status=rejected',
    name: (count, shown) =>
      plural(count, { one: `${shown} rejection you appealed`, other: `${shown} rejections you appealed` }),
    deadline: (left) => t`next is decided in ${left} at the latest`,
    inProgress: true,
  },
  pending_withdrawals: {
    to: '/dashboard/withDrawal-form',
    name: (count, shown) =>
      plural(count, { one: `${shown} withdrawal requested`, other: `${shown} withdrawals requested` }),
    inProgress: true,
  },
}
