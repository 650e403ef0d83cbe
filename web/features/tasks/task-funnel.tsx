import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type TaskFunnel as Funnel, taskFunnel } from '#contract/task-funnel.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatRoundedDuration } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'

const STEPS = [
  { key: 'seen', word: t`Opened by workers` },
  { key: 'reserved', word: t`Slots taken` },
  { key: 'submitted', word: t`Submitted` },
  { key: 'approved', word: t`Approved` },
] as const

/** Renders what became of the buyer's own task: a bar with its number for each step, the coins, and the median time. */
export function TaskFunnel({ taskId }: { taskId: string }) {
  const { data, error } = useQuery({ ...queryOf(taskFunnel, { params: { id: taskId } }), staleTime: 0 })
  return (
    <section aria-label={t`Results`} className="card p-5 sm:p-6">
      <h2 className="text-lg">{t`Results`}</h2>
      {data === undefined ? (
        <p role="status" className="mt-3 text-dim">
          {error === null ? t`Loading…` : errorMessage(error)}
        </p>
      ) : (
        <>
          <Steps funnel={data} />
          <StatList>
            <StatRow name={t`Paid to workers`}>{formatCoins(data.paid)}</StatRow>
            <StatRow name={t`In escrow`}>{formatCoins(data.escrow)}</StatRow>
            <StatRow name={t`Rejected`}>{formatNumber(data.rejected)}</StatRow>
            <StatRow name={t`Median time to submit`}>
              {data.medianSeconds === null
                ? t`Not enough work yet`
                : formatRoundedDuration(data.medianSeconds)}
            </StatRow>
          </StatList>
        </>
      )}
    </section>
  )
}

function Steps({ funnel }: { funnel: Funnel }) {
  const largest = Math.max(1, ...STEPS.map(({ key }) => funnel[key]))
  return (
    <dl className="mt-4 mb-3 space-y-3 text-sm">
      {STEPS.map(({ key, word }) => (
        <div key={key} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          <dt>{word}</dt>
          <dd className="font-number tabular-nums">{formatNumber(funnel[key])}</dd>
          <dd aria-hidden className="col-span-2 h-2 overflow-hidden rounded-full bg-line">
            <div
              className="h-full rounded-full bg-fill"
              style={{ width: `${(funnel[key] / largest) * 100}%` }}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
