import type { PayoutBatchState, PayoutState } from '#contract/payout-states.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

type Badge = { tone: Tone; word: string }

const PAYOUT_BADGES: Record<PayoutState, Badge> = {
  queued: { tone: 'neutral', word: 'Not sent' },
  sent: { tone: 'warning', word: 'Sent' },
  confirmed: { tone: 'success', word: 'Paid' },
  failed: { tone: 'error', word: 'Failed' },
  unknown: { tone: 'error', word: 'Unknown' },
  removed: { tone: 'neutral', word: 'Removed' },
}
const BATCH_BADGES: Record<PayoutBatchState, Badge> = {
  draft: { tone: 'neutral', word: 'Draft' },
  checked: { tone: 'warning', word: 'Checked' },
  released: { tone: 'warning', word: 'Released' },
  exported: { tone: 'warning', word: 'Exported' },
  settling: { tone: 'warning', word: 'Settling' },
  reconciled: { tone: 'success', word: 'Reconciled' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
}

/** Renders the state of a payout. */
export function PayoutStateBadge({ state }: { state: PayoutState }) {
  const { tone, word } = PAYOUT_BADGES[state]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

/** The names of the states of batches, for filters. */
export const BATCH_STATE_OPTIONS = Object.entries(BATCH_BADGES).map(([value, { word }]) => ({
  value,
  label: word,
}))

/** Renders the state of a payout batch. */
export function BatchStateBadge({ state }: { state: PayoutBatchState }) {
  const { tone, word } = BATCH_BADGES[state]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
