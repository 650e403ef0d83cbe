import type { SubmissionStatus } from '#contract/submission-states.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

const BADGES: Record<SubmissionStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'warning', word: 'Pending' },
  approved: { tone: 'success', word: 'Approved' },
  rejected: { tone: 'error', word: 'Rejected' },
}

/** Renders the status of a submission. */
export function SubmissionStatusBadge({ status }: { status: SubmissionStatus }) {
  const { tone, word } = BADGES[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
