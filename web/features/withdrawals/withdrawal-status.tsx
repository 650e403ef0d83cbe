import { t } from '@lingui/core/macro'
import type { WithdrawalStatus } from '#contract/withdrawals.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

const BADGES: Record<WithdrawalStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'warning', word: t`Pending` },
  approved: { tone: 'success', word: t`Paid` },
  declined: { tone: 'error', word: t`Declined` },
  cancelled: { tone: 'neutral', word: t`Cancelled` },
}

/** Renders the status of a withdrawal. */
export function WithdrawalStatusBadge({ status }: { status: WithdrawalStatus }) {
  const { tone, word } = BADGES[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
