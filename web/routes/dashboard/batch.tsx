import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import {
  BATCH_PICTURES_MAX,
  type Batch,
  batch,
  batches,
  cancelBatch,
  PICTURE_CHECK_MINUTES,
  UNPAID_BATCH_DAYS,
} from '#contract/batches.ts'
import { BatchStateBadge } from '#web/features/batches/batch-state.tsx'
import { FundForm } from '#web/features/batches/fund-form.tsx'
import { ProblemList } from '#web/features/batches/problem-list.tsx'
import { LabelledProgress } from '#web/features/batches/progress.tsx'
import { SampleItems } from '#web/features/batches/sample-items.tsx'
import { UploadProgress } from '#web/features/batches/upload-progress.tsx'
import { endUpload } from '#web/features/batches/uploads.ts'
import { TaskFunnel } from '#web/features/tasks/task-funnel.tsx'
import { useTaskChanges } from '#web/features/tasks/use-task-changes.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

const POLL_MS = 1_500
/** The states in which the server works on a batch. */
const RUNNING: readonly string[] = ['checking', 'funding']
const isInProgress = ({ state, itemsToppedUp }: Batch) => RUNNING.includes(state) || itemsToppedUp !== null
/** Returns how often a batch is read again, also a scheduled one; false: never. */
const pollOf = (batch: Batch) => (isInProgress(batch) ? POLL_MS : batch.scheduled !== null && 30_000)
/** The states in which a batch can be cancelled. */
const UNPAID: readonly string[] = ['uploading', 'checking', 'checked']

/** Renders a batch: its upload, its check with the report, its payment, and what became of it. */
export default function BatchScreen() {
  const { id = '' } = useParams()
  const { data } = useSuspenseQuery({
    ...queryOf(batch, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => state.data !== undefined && pollOf(state.data),
  })
  const isChecked = data.state === 'checked'
  const { title: project } = data
  return (
    <Screen
      title={data.fileName}
      subtitle={
        <Trans>
          Batch of{' '}
          <Link to={`/dashboard/projects/${data.projectId}`} className="link">
            {project}
          </Link>
          , version {{ version: formatNumber(data.projectVersion) }}
        </Trans>
      }
      action={<BatchStateBadge batch={data} />}
      width="narrow"
    >
      <div className="space-y-5">
        {data.state === 'uploading' && <UploadProgress key={id} batch={data} />}
        {data.state === 'checking' && <CheckProgress batch={data} />}
        {isChecked && data.errors > 0 && <FileHasErrors batch={data} />}
        {isChecked && data.cost !== null && <FundForm batch={data} cost={data.cost} />}
        {data.state === 'funding' && <FundingProgress batch={data} />}
        {data.taskId !== null && <OpenBatch batch={data} taskId={data.taskId} />}
        {isChecked && data.errors + data.warnings > 0 && <ProblemList batch={data} />}
        {data.items > 0 && <FileFacts batch={data} />}
        {isChecked && data.errors === 0 && <SampleItems batchId={id} />}
        {data.state === 'cancelled' && (
          <p className="card p-5 text-dim">{t`This batch was cancelled. Its file is deleted.`}</p>
        )}
        {UNPAID.includes(data.state) && <CancelButton batch={data} />}
      </div>
    </Screen>
  )
}

/** Renders how many rows are read, then how many pictures are checked; not those that are too many to be checked. */
function CheckProgress({ batch: { rowsRead, pictures, picturesChecked } }: { batch: Batch }) {
  return (
    <section aria-label={t`Check`} className="card space-y-4 p-5 sm:p-6">
      {pictures === 0 ? (
        <LabelledProgress label={t`Checking rows`} value={rowsRead} total={null} />
      ) : (
        <>
          <LabelledProgress
            label={t`Checking pictures`}
            value={picturesChecked}
            total={Math.min(pictures, BATCH_PICTURES_MAX)}
          />
          <p className="text-sm text-dim">{t`The rows have no errors. Each picture is loaded from its host, for at most ${{ minutes: formatNumber(PICTURE_CHECK_MINUTES) }} minutes. You can pay after that.`}</p>
        </>
      )}
      <p className="text-sm text-dim">{t`You can close this page. The check continues.`}</p>
    </section>
  )
}

function FileHasErrors({ batch: { projectId, errors } }: { batch: Batch }) {
  return (
    <section aria-label={t`Errors`} className="card space-y-4 p-5 sm:p-6">
      <h2 className="text-lg">
        {plural(errors, { one: 'Correct # error first', other: 'Correct # errors first' })}
      </h2>
      <p className="text-dim">{t`Nothing is paid. Correct the rows below in your file, then upload it again. The report is also a CSV file.`}</p>
      <Button component={Link} to={`/dashboard/projects/${projectId}`}>{t`Upload the corrected file`}</Button>
    </section>
  )
}

function FundingProgress({ batch: { items, itemsWritten } }: { batch: Batch }) {
  return (
    <section aria-label={t`Payment`} className="card space-y-4 p-5 sm:p-6">
      <LabelledProgress label={t`Preparing items`} value={itemsWritten} total={items} />
      <p className="text-sm text-dim">{t`The coins move when all items are ready. You can close this page. The payment continues.`}</p>
    </section>
  )
}

/** Renders what became of a paid batch, with the links to its task. */
function OpenBatch({ batch, taskId }: { batch: Batch; taskId: string }) {
  const { _id: id, projectId, items, itemsToppedUp, isClosed } = batch
  const { addBatchWorkers } = useTaskChanges()
  return (
    <>
      {itemsToppedUp !== null && (
        <section aria-label={t`Top up`} className="card space-y-4 p-5 sm:p-6">
          <LabelledProgress label={t`Adding workers`} value={itemsToppedUp} total={items} />
          <p className="text-sm text-dim">{t`Your coins are in escrow. The items are offered to more workers now.`}</p>
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        <Button component={Link} to={`/dashboard/batches/${id}/answers`}>{t`See answers`}</Button>
        <Button
          component={Link}
          to={`/dashboard/task-to-review?task=${taskId}`}
          variant="default"
        >{t`Review one by one`}</Button>
        {!isClosed && (
          <Button variant="default" onClick={() => void addBatchWorkers(batch)}>{t`Add workers`}</Button>
        )}
        <Button
          component={Link}
          to={`/dashboard/update-task/${taskId}`}
          variant="default"
        >{t`Deadline and closing`}</Button>
        <Button
          component={Link}
          to={`/dashboard/projects/${projectId}`}
          variant="default"
        >{t`Upload more items`}</Button>
      </div>
      <TaskFunnel taskId={taskId} />
    </>
  )
}

const FORMAT_NAMES: Record<string, string> = {
  ',': t`CSV, separated by comma`,
  ';': t`CSV, separated by semicolon`,
  '\t': t`CSV, separated by tab`,
  '|': t`CSV, separated by bar`,
}

function FileFacts({ batch }: { batch: Batch }) {
  const { items, goldenItems, columns, encoding, separator, workersPerItem, completionDate } = batch
  return (
    <section aria-label={t`File`} className="card p-5 sm:p-6">
      <h2 className="text-lg">{t`File`}</h2>
      <StatList>
        <StatRow name={t`Items`}>{formatNumber(items)}</StatRow>
        {goldenItems > 0 && <StatRow name={t`Items with known answers`}>{formatNumber(goldenItems)}</StatRow>}
        <StatRow name={t`Workers per item`}>{formatNumber(workersPerItem)}</StatRow>
        {completionDate !== null && <StatRow name={t`Deadline`}>{formatDay(completionDate)}</StatRow>}
        <StatRow name={t`Columns`}>
          <span className="wrap-anywhere">{columns.join(', ')}</span>
        </StatRow>
        {encoding !== null && <StatRow name={t`Encoding`}>{encoding.toUpperCase()}</StatRow>}
        <StatRow name={t`Format`}>
          {separator === null ? t`JSON lines` : (FORMAT_NAMES[separator] ?? 'CSV')}
        </StatRow>
      </StatList>
    </section>
  )
}

function CancelButton({ batch: { _id, fileName, scheduled } }: { batch: Batch }) {
  const queryClient = useQueryClient()
  const cancel = async () => {
    const confirmed = await confirm({
      title: t`Cancel this batch?`,
      text: t`${fileName} is deleted here. Nothing was paid.`,
      confirmLabel: t`Cancel batch`,
      cancelLabel: t`Keep it`,
      danger: true,
    })
    if (!confirmed) return
    try {
      const cancelled = await call(cancelBatch, { params: { id: _id } })
      endUpload(_id)
      queryClient.setQueryData(queryKeyOf(batch, { params: { id: _id } }), cancelled)
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(batches) })
    } catch (error) {
      await showMessage({ title: t`Could not cancel the batch`, text: errorMessage(error), tone: 'error' })
    }
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-dim">
        {scheduled === null
          ? t`A file that is not paid is deleted after ${{ days: formatNumber(UNPAID_BATCH_DAYS) }} days.`
          : t`The file is kept until the scheduled payment.`}
      </p>
      <Button variant="default" onClick={() => void cancel()}>{t`Cancel batch`}</Button>
    </div>
  )
}
