import { t } from '@lingui/core/macro'
import type { PayoutBatchState, PayoutState } from '#contract/payout-states.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

type Badge = { tone: Tone; word: string }

const PAYOUT_BADGES: Record<PayoutState, Badge> = {
  queued: { tone: 'neutral', word: t`Not sent` },
  sent: { tone: 'warning', word: t`Sent` },
  confirmed: { tone: 'success', word: t`Paid` },
  failed: { tone: 'error', word: t`Failed` },
  unknown: { tone: 'error', word: t`Unknown` },
  removed: { tone: 'neutral', word: t`Removed` },
}
const PAYOUT_BATCH_BADGES: Record<PayoutBatchState, Badge> = {
  draft: { tone: 'neutral', word: t`Draft` },
  checked: { tone: 'warning', word: t`Checked` },
  released: { tone: 'warning', word: t`Released` },
  exported: { tone: 'warning', word: t`Exported` },
  settling: { tone: 'warning', word: t`Settling` },
  reconciled: { tone: 'success', word: t`Reconciled` },
  cancelled: { tone: 'neutral', word: t`Cancelled` },
}

/** Renders the state of a payout. */
export function PayoutStateBadge({ state }: { state: PayoutState }) {
  const { tone, word } = PAYOUT_BADGES[state]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

/** The names of the states of batches, for filters. */
export const PAYOUT_BATCH_STATE_OPTIONS = Object.entries(PAYOUT_BATCH_BADGES).map(([value, { word }]) => ({
  value,
  label: word,
}))

/** Renders the state of a payout batch. */
export function PayoutBatchStateBadge({ state }: { state: PayoutBatchState }) {
  const { tone, word } = PAYOUT_BATCH_BADGES[state]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
