import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AnswerForm } from '#contract/answer-form.ts'
import { type BatchWorker, batchWorkers } from '#contract/batch-agreement.ts'
import { formatPercent, percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { WorkerLink } from './worker-link.tsx'

/** Renders the workers of a batch by their pseudonyms, with the score that decides who is offered more items. */
export function WorkerScores({ batchId, form }: { batchId: string; form: AnswerForm }) {
  const query = useInfiniteQuery({
    ...infiniteQueryOf(batchWorkers, { params: { id: batchId } }),
    staleTime: 0,
  })
  const rows = query.data?.pages.flatMap(({ reply }) => reply) ?? []
  if (rows.length === 0) return null
  return (
    <section aria-label={t`Workers`} className="space-y-3">
      <div>
        <h2 className="text-lg">{t`Workers`}</h2>
        <p className="text-sm text-dim">{t`The score decides who gets more items, in all batches of this project. It never changes what a worker has earned.`}</p>
      </div>
      <DataTable
        label={t`Workers`}
        rows={rows}
        rowKey={({ worker }) => worker}
        columns={columnsOf(form)}
        renderCard={(row) => (
          <dl className="space-y-1 text-sm">
            {columnsOf(form).map((column) => (
              <div key={column.header} className="flex flex-wrap justify-between gap-x-4">
                <dt className="text-dim">{column.header}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        )}
      />
      <LoadMore query={query} />
    </section>
  )
}

function columnsOf(form: AnswerForm): DataColumn<BatchWorker>[] {
  const labelOf = (name: string) => form.fields.find((field) => field.name === name)?.label ?? name
  const partOf = (part: number, all: number) =>
    all === 0 ? '–' : t`${{ part: formatNumber(part) }} of ${{ all: formatNumber(all) }}`
  return [
    { header: t`Worker`, cell: ({ worker }) => <WorkerLink worker={worker} /> },
    { header: t`Answers`, cell: ({ answers }) => formatNumber(answers) },
    { header: t`Known answers matched`, cell: ({ right, golden }) => partOf(right, golden) },
    { header: t`Agrees with the others`, cell: ({ agreeing, compared }) => partOf(agreeing, compared) },
    {
      header: t`Estimated error rate`,
      cell: ({ errorRates }) => (
        <ul>
          {errorRates.map(({ name, rate }) => (
            <li key={name} className="wrap-anywhere">
              {errorRates.length > 1 && `${labelOf(name)}: `}
              {rate === null ? '–' : formatPercent(percentOf(rate, 1))}
            </li>
          ))}
        </ul>
      ),
    },
    { header: t`Score`, cell: scoreText },
    {
      header: t`More items`,
      cell: ({ isOffered }) => (
        <StatusBadge tone={isOffered ? 'success' : 'warning'}>
          {isOffered ? t`Offered` : t`Not offered`}
        </StatusBadge>
      ),
    },
  ]
}

/** Returns the score with what it is made of: a worker who has seen few known answers is compared with the others. */
function scoreText({ score, scoreOf }: BatchWorker): string {
  if (score === null) return '–'
  const share = formatNumber(percentOf(score, 100))
  return scoreOf === 'golden' ? t`${share}% (known answers)` : t`${share}% (agreement)`
}
