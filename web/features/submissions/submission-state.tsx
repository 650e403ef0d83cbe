import { t } from '@lingui/core/macro'
import type { SubmissionState } from '#contract/submission-states.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

/** `buyer` is what a buyer sees where the words for the worker would be wrong. */
const BADGES: Record<SubmissionState, { tone: Tone; word: string; buyer?: string }> = {
  pending: { tone: 'warning', word: t`Pending` },
  revision_requested: { tone: 'warning', word: t`Revision requested` },
  rejection_open: { tone: 'error', word: t`Rejected: you can appeal`, buyer: t`Rejected: worker can appeal` },
  appealed: { tone: 'warning', word: t`Appealed` },
  in_review: { tone: 'warning', word: t`With a reviewer` },
  approved: { tone: 'success', word: t`Approved` },
  rejected: { tone: 'error', word: t`Rejected` },
}

/** Returns the name of a state in a filter of a buyer. */
export const nameForBuyer = (state: SubmissionState) => BADGES[state].buyer ?? BADGES[state].word

type Props = { state: SubmissionState; viewer?: 'worker' | 'buyer' | 'reviewer' }

/** Renders the state of a submission. */
export function SubmissionStateBadge({ state, viewer = 'worker' }: Props) {
  const { tone, word, buyer = word } = BADGES[state]
  return <StatusBadge tone={tone}>{viewer === 'worker' ? word : buyer}</StatusBadge>
}
