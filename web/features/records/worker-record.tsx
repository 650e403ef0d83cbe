import type { Submission } from '#contract/submissions.ts'
import { formatNumber, formatRoundedDuration } from '#web/lib/format.ts'

/** Renders what a buyer should know before deciding: the worker's record and how long this work took. */
export function WorkerRecordLine({ submission }: { submission: Submission }) {
  const { workerRecord: record, workSeconds } = submission
  const decided = record === null ? 0 : record.approved + record.rejected
  const parts = [
    record === null || decided === 0
      ? 'New worker'
      : `${formatNumber(record.approved)} done, ${Math.round((100 * record.approved) / decided)}% approved`,
    workSeconds !== null && `took ${formatRoundedDuration(workSeconds)}`,
  ]
  return <>{parts.filter(Boolean).join(' · ')}</>
}
