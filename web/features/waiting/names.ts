import { plural, t } from '@lingui/core/macro'
import type { WaitingKind } from '#contract/waiting.ts'

type Names = {
  /** Names how many: "2 failed background jobs". `shown` is the count as text, with a "+" when there are more. */
  name: (count: number, shown: string) => string
  /** Says what the first deadline means, by the time until then: "first ends in 5 hours". */
  deadline?: (left: string) => string
}

const timeLeft = (left: string) => t`${left} left`

/** The texts of each kind of what waits. */
export const WAITING_NAMES: Record<WaitingKind, Names> = {
  freezes_without_response: {
    name: (count, shown) =>
      plural(count, { one: `${shown} freeze to respond to`, other: `${shown} freezes to respond to` }),
  },
  payout_requests: {
    name: (count, shown) =>
      plural(count, { one: `${shown} withdrawal request`, other: `${shown} withdrawal requests` }),
  },
  stopped_payout_requests: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} withdrawal request stopped by risk or a freeze`,
        other: `${shown} withdrawal requests stopped by risk or a freeze`,
      }),
  },
  payout_batches: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} payout batch to check or release`,
        other: `${shown} payout batches to check or release`,
      }),
  },
  payouts_to_confirm: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} payout sent, not confirmed`,
        other: `${shown} payouts sent, not confirmed`,
      }),
  },
  payout_cases: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} difference in payout statements`,
        other: `${shown} differences in payout statements`,
      }),
  },
  disputes: {
    name: (count, shown) =>
      plural(count, { one: `${shown} dispute to respond to`, other: `${shown} disputes to respond to` }),
    deadline: (left) => t`evidence due in ${left}`,
  },
  refunds: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} refund for a second Admin`,
        other: `${shown} refunds for a second Admin`,
      }),
  },
  unmatched_payments: {
    name: (count, shown) =>
      plural(count, { one: `${shown} unmatched payment`, other: `${shown} unmatched payments` }),
  },
  card_cases: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} difference at the card processor`,
        other: `${shown} differences at the card processor`,
      }),
  },
  freeze_responses: {
    name: (count, shown) =>
      plural(count, { one: `${shown} response to a freeze`, other: `${shown} responses to freezes` }),
  },
  setting_proposals: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} change of a setting to confirm`,
        other: `${shown} changes of settings to confirm`,
      }),
  },
  unassigned_reviews: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} rejection without a reviewer`,
        other: `${shown} rejections without a reviewer`,
      }),
    deadline: (left) => t`first is paid in ${left}`,
  },
  messages: {
    name: (count, shown) =>
      plural(count, { one: `${shown} message to reply to`, other: `${shown} messages to reply to` }),
  },
  failed_jobs: {
    name: (count, shown) =>
      plural(count, { one: `${shown} failed background job`, other: `${shown} failed background jobs` }),
  },
  // A rejection can have a reviewer before the worker has appealed (docs/specification/appeals.md#mass-rejection).
  reviews: {
    name: (count, shown) =>
      plural(count, { one: `${shown} rejection to decide`, other: `${shown} rejections to decide` }),
    deadline: (left) => t`first due in ${left}`,
  },
  appeals_without_response: {
    name: (count, shown) =>
      plural(count, { one: `${shown} appeal to respond to`, other: `${shown} appeals to respond to` }),
    deadline: (left) => t`first is paid in ${left}`,
  },
  submissions_to_review: {
    name: (count, shown) =>
      plural(count, { one: `${shown} submission to review`, other: `${shown} submissions to review` }),
    deadline: (left) => t`first is approved automatically in ${left}`,
  },
  tasks_ending: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} task ending soon with open slots`,
        other: `${shown} tasks ending soon with open slots`,
      }),
    deadline: (left) => t`first ends in ${left}`,
  },
  reservations: {
    name: (count, shown) =>
      plural(count, { one: `${shown} reserved task`, other: `${shown} reserved tasks` }),
    deadline: timeLeft,
  },
  revisions_requested: {
    name: (count, shown) =>
      plural(count, { one: `${shown} revision requested`, other: `${shown} revisions requested` }),
    deadline: timeLeft,
  },
  rejections_to_appeal: {
    name: (count, shown) =>
      plural(count, {
        one: `${shown} rejection you can appeal`,
        other: `${shown} rejections you can appeal`,
      }),
    deadline: timeLeft,
  },
  pending_work: {
    name: (count, shown) =>
      plural(count, { one: `${shown} submission in review`, other: `${shown} submissions in review` }),
    deadline: (left) => t`next is paid within ${left}`,
  },
  disputed_work: {
    name: (count, shown) =>
      plural(count, { one: `${shown} rejection under review`, other: `${shown} rejections under review` }),
    deadline: (left) => t`next is decided within ${left}`,
  },
  pending_withdrawals: {
    name: (count, shown) =>
      plural(count, { one: `${shown} withdrawal requested`, other: `${shown} withdrawals requested` }),
  },
}
