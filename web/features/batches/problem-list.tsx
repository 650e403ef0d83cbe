import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Batch, type BatchProblem, batchProblems, batchReport } from '#contract/batches.ts'
import { download } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** The problems that are shown at first. */
const FIRST = 50

/** Renders what the check found in a file, by row and column. */
export function ProblemList({ batch }: { batch: Batch }) {
  const query = useQuery(queryOf(batchProblems, { params: { id: batch._id } }))
  const [isWhole, setIsWhole] = useState(false)
  const problems = query.data
  const all = batch.errors + batch.warnings
  if (problems === undefined) {
    return <QueryState query={query} skeleton={<ListSkeleton rows={3} />} />
  }
  const rows = (isWhole ? problems : problems.slice(0, FIRST)).map((problem, place) => ({
    ...problem,
    place,
  }))
  return (
    <section aria-label={t`Report`} className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="text-lg">{t`Report`}</h2>
          <p className="text-sm text-dim">
            {countsOf(batch)}
            {all > problems.length &&
              ` ${t`The first ${{ listed: formatNumber(problems.length) }} are listed.`}`}
          </p>
        </div>
        <DownloadButton
          label={t`Download report`}
          fileName={`report-${batch.fileName.replace(/\.[^.]*$/, '')}.csv`}
          load={() => download(batchReport, { params: { id: batch._id } })}
          failure={t`Could not download the report`}
        />
      </div>
      <ResponsiveList
        label={t`Problems of the file`}
        rows={rows}
        rowKey={({ place }) => String(place)}
        columns={COLUMNS}
        renderCard={(problem) => (
          <div className="space-y-1 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              <KindBadge problem={problem} />
              <span className="font-number">{placeOf(problem)}</span>
            </p>
            <p>{problem.message}</p>
          </div>
        )}
      />
      {!isWhole && problems.length > FIRST && (
        <div className="text-center">
          <Button variant="default" onClick={() => setIsWhole(true)}>
            {t`Show all ${{ count: formatNumber(problems.length) }}`}
          </Button>
        </div>
      )}
    </section>
  )
}

const COLUMNS: Column<BatchProblem>[] = [
  { header: t`Row`, cell: ({ row }) => (row === null ? t`File` : formatNumber(row)) },
  { header: t`Column`, width: 'max-w-60', cell: ({ column }) => column ?? '–' },
  { header: t`Problem`, width: 'w-full', cell: ({ message }) => message },
  { header: t`Kind`, cell: (problem) => <KindBadge problem={problem} /> },
]

function KindBadge({ problem: { isError } }: { problem: BatchProblem }) {
  return <StatusBadge tone={isError ? 'error' : 'warning'}>{isError ? t`Error` : t`Warning`}</StatusBadge>
}

function countsOf({ errors, warnings }: Batch): string {
  const counted = [
    plural(errors, { one: '# error', other: '# errors' }),
    plural(warnings, { one: '# warning', other: '# warnings' }),
  ]
  return `${counted.join(', ')}.`
}

function placeOf({ row, column }: BatchProblem): string {
  const place = row === null ? t`File` : t`Row ${{ row: formatNumber(row) }}`
  return column === null ? place : `${place}, ${column}`
}
