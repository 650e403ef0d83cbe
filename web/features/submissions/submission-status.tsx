import type { SubmissionStatus } from '#contract/submissions.ts'
import { StatusBadge, type Tone } from '#web/ui/status-badge.tsx'

const LOOKS: Record<SubmissionStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'waiting', word: 'Pending' },
  approved: { tone: 'good', word: 'Approved' },
  rejected: { tone: 'bad', word: 'Rejected' },
}

/** What became of submitted work. */
export function SubmissionStatusBadge({ status }: { status: SubmissionStatus }) {
  const { tone, word } = LOOKS[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
