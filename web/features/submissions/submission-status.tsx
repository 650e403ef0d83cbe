import type { SubmissionState } from '#contract/submission-states.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

/** `buyer` is what a buyer sees where the words for the worker would be wrong. */
const BADGES: Record<SubmissionState, { tone: Tone; word: string; buyer?: string }> = {
  pending: { tone: 'warning', word: 'Pending' },
  revision_requested: { tone: 'warning', word: 'Revision requested' },
  rejection_open: { tone: 'error', word: 'Rejected: you can appeal', buyer: 'Rejected: worker can appeal' },
  appealed: { tone: 'warning', word: 'Appealed' },
  in_review: { tone: 'warning', word: 'With a reviewer' },
  approved: { tone: 'success', word: 'Approved' },
  rejected: { tone: 'error', word: 'Rejected' },
}

type Props = { state: SubmissionState; viewer?: 'worker' | 'buyer' | 'reviewer' }

/** Renders the state of a submission. */
export function SubmissionStateBadge({ state, viewer = 'worker' }: Props) {
  const { tone, word, buyer = word } = BADGES[state]
  return <StatusBadge tone={tone}>{viewer === 'worker' ? word : buyer}</StatusBadge>
}
