import { t } from '@lingui/core/macro'
import type { WorkerRecord } from '#contract/records.ts'
import type { Submission } from '#contract/submissions.ts'
import { formatPercent, percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatRoundedDuration } from '#web/lib/format-time.ts'
import { RecordLine } from './record-line.tsx'

/** Returns a worker's record in a few words. */
export function summarizeWorker(record: WorkerRecord | null): string {
  const decided = record === null ? 0 : record.approved + record.rejected
  if (record === null || decided === 0) return t`New worker`
  return t`${{ count: formatNumber(record.approved) }} done, ${{ percent: formatPercent(percentOf(record.approved, decided)) }} approved`
}

/** Renders what a buyer should know before deciding: the worker's record and how long this work took. */
export function WorkerRecordLine({ submission }: { submission: Submission }) {
  const { workerRecord: record, workSeconds } = submission
  const parts = [
    summarizeWorker(record),
    workSeconds !== null && t`took ${{ time: formatRoundedDuration(workSeconds) }}`,
  ]
  return <>{parts.filter(Boolean).join(' · ')}</>
}

/** Renders a worker's record as definitions. */
export function WorkerRecordDetails({ record }: { record: WorkerRecord | null }) {
  const decided = record === null ? 0 : record.approved + record.rejected
  if (record === null || decided === 0) {
    return <p className="text-sm text-dim">{t`New worker: no submission is decided yet.`}</p>
  }
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(5.5rem,40%)),1fr))] gap-x-4 gap-y-2 text-sm">
      <RecordLine name={t`Submissions approved`}>{formatNumber(record.approved)}</RecordLine>
      <RecordLine name={t`Approval rate`}>{formatPercent(percentOf(record.approved, decided))}</RecordLine>
    </dl>
  )
}
