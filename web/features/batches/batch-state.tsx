import { t } from '@lingui/core/macro'
import type { Batch, BatchState } from '#contract/batches.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

const BADGES: Record<BatchState, { tone: Tone; word: string }> = {
  uploading: { tone: 'neutral', word: t`Upload not complete` },
  checking: { tone: 'neutral', word: t`Checking` },
  checked: { tone: 'warning', word: t`Ready to pay` },
  funding: { tone: 'neutral', word: t`Processing payment` },
  open: { tone: 'success', word: t`Paid` },
  cancelled: { tone: 'neutral', word: t`Cancelled` },
}

/** Renders the state of a batch. */
export function BatchStateBadge({
  batch,
}: {
  batch: Pick<Batch, 'state' | 'errors' | 'isClosed' | 'scheduled'>
}) {
  const { state, errors, isClosed, scheduled } = batch
  if (isClosed) return <StatusBadge tone="neutral">{t`Closed`}</StatusBadge>
  if (state === 'checked' && errors > 0) return <StatusBadge tone="error">{t`Has errors`}</StatusBadge>
  if (scheduled !== null) return <StatusBadge tone="neutral">{t`Scheduled`}</StatusBadge>
  const { tone, word } = BADGES[state]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
