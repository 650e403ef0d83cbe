import type { WithdrawalStatus } from '#contract/withdrawals.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

const LOOKS: Record<WithdrawalStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'waiting', word: 'Pending' },
  approved: { tone: 'good', word: 'Paid' },
  declined: { tone: 'bad', word: 'Declined' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
}

/** What became of a withdrawal request. */
export function WithdrawalStatusBadge({ status }: { status: WithdrawalStatus }) {
  const { tone, word } = LOOKS[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
