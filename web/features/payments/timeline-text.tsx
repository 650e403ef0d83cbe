import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { TimelineEntry } from '#contract/card-disputes.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { disputeLabel } from './dispute-texts.ts'

/** Renders what an entry of a time line says. The name of a user links to everything about them. */
export function TimelineText({ entry }: { entry: TimelineEntry }) {
  return TEXTS[entry.kind](entry)
}

const TEXTS: Record<TimelineEntry['kind'], (entry: TimelineEntry) => ReactNode> = {
  paid: () => t`The payment was received`,
  fraud_warning: () => t`The card network warned of fraud`,
  dispute_opened: ({ subject }) => t`The dispute was opened: ${{ reason: disputeLabel(subject) }}`,
  dispute_changed: ({ subject }) => t`The dispute changed: ${{ state: disputeLabel(subject) }}`,
  buyer_frozen: () => t`The buyer was frozen`,
  freeze_ended: () => t`The freeze ended`,
  tasks_held: ({ subject }) =>
    plural(Number(subject), { one: '# task put on hold', other: '# tasks put on hold' }),
  tasks_released: () => t`The tasks on hold were released`,
  tasks_closed: ({ subject }) =>
    plural(Number(subject), { one: '# task on hold closed', other: '# tasks on hold closed' }),
  evidence_saved: () => t`Evidence was saved`,
  evidence_submitted: () => t`Evidence was submitted to the bank`,
  refund_requested: ({ subject }) => t`A refund was requested: ${{ reason: subject }}`,
  refund_approved: () => t`The refund was approved`,
  refund_cancelled: () => t`The refund was cancelled`,
  refund_made: () => t`The refund was completed`,
  refund_failed: () => t`The refund failed`,
  reversed: ({ dollars }) => ((dollars ?? 0) < 0 ? t`Coins were returned` : t`Coins were deducted`),
  task_posted: ({ subject }) => t`The buyer posted “${{ task: subject }}”`,
  task_topped_up: ({ subject }) => t`The buyer added workers to “${{ task: subject }}”`,
  task_reopened: ({ subject }) => t`The buyer reopened “${{ task: subject }}”`,
  slot_reopened: ({ subject }) => t`The buyer paid for another slot of “${{ task: subject }}”`,
  work_paid: ({ userId, subject }) => (
    <Trans>
      <UserLink id={userId} name={subject} /> was paid for work
    </Trans>
  ),
  bonus_paid: ({ userId, subject }) => (
    <Trans>
      <UserLink id={userId} name={subject} /> was paid a bonus
    </Trans>
  ),
  withdrawal_requested: ({ userId, subject }) => (
    <Trans>
      <UserLink id={userId} name={subject} /> requested a withdrawal
    </Trans>
  ),
  withdrawal_approved: ({ userId, subject }) => (
    <Trans>
      <UserLink id={userId} name={subject} />
      ’s withdrawal was paid
    </Trans>
  ),
  withdrawal_declined: ({ userId, subject }) => (
    <Trans>
      <UserLink id={userId} name={subject} />
      ’s withdrawal was declined
    </Trans>
  ),
  withdrawal_cancelled: ({ userId, subject }) => (
    <Trans>
      <UserLink id={userId} name={subject} />
      ’s withdrawal was cancelled because their account was deleted
    </Trans>
  ),
}
