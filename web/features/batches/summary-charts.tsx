import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { batchSummary, type QuestionSummary } from '#contract/batch-answers.ts'
import { formatPercent, percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDecimal } from '#web/lib/format-decimal.ts'
import { queryOf } from '#web/lib/queries.ts'
import { QueryState } from '#web/ui/query-state.tsx'
import { GridSkeleton } from '#web/ui/skeleton.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'

/** Renders how many chose each option of each question, and the numbers that were entered. */
export function SummaryCharts({ batchId }: { batchId: string }) {
  const query = useQuery({ ...queryOf(batchSummary, { params: { id: batchId } }), staleTime: 0 })
  if (query.data === undefined) {
    return <QueryState query={query} skeleton={<GridSkeleton cards={2} height="h-40" />} />
  }
  if (query.data.length === 0) return null
  return (
    <section aria-label={t`Summary`} className="grid gap-5 lg:grid-cols-2">
      {query.data.map((question) => (
        <article key={question.name} className="card p-5 sm:p-6" aria-label={question.label}>
          <h2 className="mb-3 text-base wrap-anywhere">{question.label}</h2>
          {question.numbers === null ? (
            <Bars
              counts={question.options.map(({ option, count }) => [option, count])}
              all={question.answers}
            />
          ) : (
            <Numbers numbers={question.numbers} />
          )}
        </article>
      ))}
    </section>
  )
}

type BarsProps = { counts: readonly (readonly [name: string, count: number])[]; all: number }

function Bars({ counts, all }: BarsProps) {
  return (
    <dl className="space-y-3 text-sm">
      {counts.map(([name, count]) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          <dt className="wrap-anywhere">{name}</dt>
          <dd className="font-number tabular-nums">
            {formatNumber(count)}
            {all > 0 && ` (${formatPercent(percentOf(count, all))})`}
          </dd>
          <dd aria-hidden className="col-span-2 h-2 overflow-hidden rounded-full bg-line">
            <div
              className="h-full rounded-full bg-fill"
              style={{ width: `${(count / Math.max(1, all)) * 100}%` }}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Numbers({ numbers }: { numbers: NonNullable<QuestionSummary['numbers']> }) {
  if (numbers.count === 0) return <p className="text-sm text-dim">{t`No answers yet`}</p>
  const rows = [
    [t`Smallest`, numbers.min],
    [t`Median`, numbers.median],
    [t`Mean`, Math.round(numbers.mean * 100) / 100],
    [t`Largest`, numbers.max],
  ] as const
  return (
    <>
      <p className="text-sm text-dim">{plural(numbers.count, { one: '# answer', other: '# answers' })}</p>
      <StatList>
        {rows.map(([name, value]) => (
          <StatRow key={name} name={name}>
            {formatDecimal(value)}
          </StatRow>
        ))}
      </StatList>
      <div className="mt-4">
        <Bars counts={numbers.ranges.map((range) => [rangeText(range), range.count])} all={numbers.count} />
      </div>
    </>
  )
}

function rangeText({ from, to }: { from: number; to: number }): string {
  return from === to
    ? formatDecimal(from)
    : t`${{ from: formatDecimal(from) }} to ${{ to: formatDecimal(to) }}`
}
