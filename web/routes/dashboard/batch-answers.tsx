import { t } from '@lingui/core/macro'
import '#web/ui/sections-in-order.css'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { closedFields } from '#contract/answer-form.ts'
import {
  BatchAnswerFilter,
  batchAnswers,
  batchAnswersCsv,
  batchAnswersJsonLines,
} from '#contract/batch-answers.ts'
import { batch, batchPreview } from '#contract/batches.ts'
import { SUBMISSION_STATES } from '#contract/submission-states.ts'
import { AgreementSummary } from '#web/features/batches/agreement-summary.tsx'
import { AnswerTable } from '#web/features/batches/answer-table.tsx'
import { ImportDecisions } from '#web/features/batches/import-decisions.tsx'
import { SummaryCharts } from '#web/features/batches/summary-charts.tsx'
import { WorkerScores } from '#web/features/batches/worker-scores.tsx'
import { nameForBuyer } from '#web/features/submissions/submission-state.tsx'
import { download } from '#web/lib/api.ts'
import { infiniteQueryOf, keepPreviousRows, queryOf } from '#web/lib/queries.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

const STATES = [
  { value: '', label: t`All states` },
  ...SUBMISSION_STATES.map((value) => ({ value, label: nameForBuyer(value) })),
]
const AGREEMENTS = [
  { value: '', label: t`All items` },
  { value: 'true', label: t`Items on which answers differ` },
]
const SORTS = [
  { value: 'item', label: t`By item` },
  { value: 'newest', label: t`Newest first` },
]

/** Renders what workers answered to the items of a batch: summaries, a table, the files, and the import of decisions. */
export default function BatchAnswers() {
  const { id = '' } = useParams()
  const { data: shown } = useSuspenseQuery(queryOf(batch, { params: { id } }))
  // A paid batch has a first item, whose form and pictures are those of the batch's version of the project.
  const { data: samples } = useSuspenseQuery(queryOf(batchPreview, { params: { id } }))
  const { form, pictures } = samples[0] ?? { form: { fields: [] }, pictures: [] }
  const [search, setSearch] = useSearchParams()
  const { shape } = BatchAnswerFilter
  const state = shape.state.safeParse(search.get('state') || undefined).data
  const sort = shape.sort.safeParse(search.get('sort') || undefined).data ?? 'item'
  const disagreeing = shape.disagreeing.safeParse(search.get('disagreeing') || undefined).data
  const worker = shape.worker.safeParse(search.get('worker') || undefined).data
  const q = search.get('q') ?? ''
  const set = (name: string) => (value: string) =>
    setSearch((current) => withParam(current, name, value), { replace: true, preventScrollReset: true })
  const query = useInfiniteQuery({
    ...infiniteQueryOf(batchAnswers, {
      params: { id },
      query: { state, sort, disagreeing, worker, q: q || undefined },
    }),
    placeholderData: keepPreviousRows,
    staleTime: 0,
  })
  const isFiltered = q !== '' || state !== undefined || disagreeing !== undefined || worker !== undefined
  const rows = query.data?.pages.flatMap(({ reply }) => reply)
  const { fileName: file } = shown
  const name = file.replace(/\.[^.]*$/, '')
  return (
    <Screen
      title={t`Answers`}
      subtitle={
        <Trans>
          To{' '}
          <Link to={`/dashboard/batches/${id}`} className="link wrap-anywhere">
            {file}
          </Link>{' '}
          of {{ project: shown.title }}
        </Trans>
      }
      action={<Files id={id} name={name} />}
    >
      <div className="sections-in-order space-y-5">
        <SummaryCharts batchId={id} />
        <AgreementSummary batchId={id} />
        <div id="answers" className="flex flex-wrap items-center gap-3">
          {worker !== undefined && (
            <p className="flex w-full flex-wrap items-center gap-x-3">
              {t`Answers of ${worker}`}
              <Button variant="default" onClick={() => set('worker')('')}>{t`Show all workers`}</Button>
            </p>
          )}
          <div className="w-full sm:w-72">
            <SearchInput label={t`Search the answers`} value={q} onChange={set('q')} />
          </div>
          <NativeSelect
            label={t`Filter by state`}
            className="w-full sm:w-56"
            data={STATES}
            value={state ?? ''}
            onChange={set('state')}
          />
          {closedFields(form).length > 0 && (
            <NativeSelect
              label={t`Filter by agreement`}
              className="w-full sm:w-56"
              data={AGREEMENTS}
              value={disagreeing ?? ''}
              onChange={set('disagreeing')}
            />
          )}
          <NativeSelect
            label={t`Sort`}
            className="w-full sm:w-48"
            data={SORTS}
            value={sort}
            onChange={set('sort')}
          />
        </div>
        {rows === undefined ? (
          <QueryState query={query} skeleton={<ListSkeleton rows={6} />} />
        ) : rows.length === 0 ? (
          <EmptyState title={isFiltered ? t`No answers found` : t`No answers yet`}>
            {isFiltered
              ? t`No answers match your search.`
              : t`They appear here as soon as workers submit them.`}
          </EmptyState>
        ) : (
          <div>
            <AnswerTable
              batchId={id}
              rows={rows}
              form={form}
              pictureColumns={pictures.map(({ column }) => column)}
            />
            <LoadMore query={query} />
          </div>
        )}
        <WorkerScores batchId={id} form={form} />
        <ImportDecisions batchId={id} />
      </div>
    </Screen>
  )
}

/** Renders the downloads. Only the first is safe to open in a spreadsheet program. */
function Files({ id, name }: { id: string; name: string }) {
  const failure = t`Could not download the answers`
  return (
    <div className="flex flex-wrap gap-3">
      <DownloadButton
        label={t`Download CSV`}
        fileName={`answers-${name}.csv`}
        load={() => download(batchAnswersCsv, { params: { id } })}
        failure={failure}
      />
      <DownloadButton
        label={t`CSV, raw`}
        fileName={`answers-${name}-raw.csv`}
        load={() => download(batchAnswersCsv, { params: { id }, query: { raw: 'true' } })}
        failure={failure}
      />
      <DownloadButton
        label={t`JSON lines`}
        fileName={`answers-${name}.jsonl`}
        load={() => download(batchAnswersJsonLines, { params: { id } })}
        failure={failure}
      />
    </div>
  )
}
