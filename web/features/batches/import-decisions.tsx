import { plural, t } from '@lingui/core/macro'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  batchAnswers,
  batchSummary,
  DECISIONS_MAX,
  type Decision,
  type DecisionResult,
  decideBatch,
} from '#contract/batch-answers.ts'
import { rejectionRule } from '#contract/rejections.ts'
import { REJECTION_CATEGORIES, type RejectionCategory } from '#contract/submission-states.ts'
import { taskFunnel } from '#contract/task-funnel.ts'
import { REJECTION_CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { invalidateEndpoints, queryOf } from '#web/lib/queries.ts'
import { FormError } from '#web/ui/form-error.tsx'
import { LabelledProgress } from './progress.tsx'
import { type FileDecisions, readDecisions } from './read-decisions.ts'
import { FileDrop } from './upload-form.tsx'

/** The problems that are listed. */
const SHOWN = 20

type Checked = FileDecisions & { fileName: string; results: DecisionResult[] }

/** Renders the import of an exported file with decisions: a preview, then the decisions in groups. */
export function ImportDecisions({ batchId }: { batchId: string }) {
  const queryClient = useQueryClient()
  const [checked, setChecked] = useState<Checked | null>(null)
  const [done, setDone] = useState<DecisionResult[] | null>(null)
  const [progress, setProgress] = useState<{ value: number; total: number } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const running = useRef<AbortController>(null)
  const [category, setCategory] = useState<RejectionCategory | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  const needsCategory = checked?.decisions.some(lacksCategory) ?? false
  const rejects = checked?.results.some(({ result }) => result === 'rejected') ?? false
  const rule = useQuery({ ...queryOf(rejectionRule, {}), enabled: rejects })
  const isApplying = checked !== null && progress !== null

  const decide = async (decisions: readonly Decision[], preview: boolean, signal: AbortSignal) => {
    const results: DecisionResult[] = []
    for (let from = 0; from < decisions.length; from += DECISIONS_MAX) {
      setProgress({ value: from, total: decisions.length })
      const group = decisions.slice(from, from + DECISIONS_MAX)
      const body = { preview, decisions: group }
      results.push(...(await call(decideBatch, { params: { id: batchId }, body }, { signal })))
    }
    return results
  }
  /** Ends the preview of another file, so that it does not replace what is shown from now on. */
  const run = async (work: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    setFailure(null)
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) setFailure(errorMessage(error))
    } finally {
      if (!signal.aborted) setProgress(null)
    }
  }
  const choose = (file: File | undefined) => {
    setChecked(null)
    setDone(null)
    setCategory(null)
    setIsMissing(false)
    if (file === undefined) return
    void run(async (signal) => {
      let read: FileDecisions
      try {
        read = await readDecisions(file)
      } catch {
        signal.throwIfAborted()
        return setFailure(t`This file cannot be read. Save it as CSV UTF-8, then choose it again.`)
      }
      signal.throwIfAborted()
      setChecked({ ...read, fileName: file.name, results: await decide(read.decisions, true, signal) })
    })
  }
  const apply = (from: Checked) => {
    if (needsCategory && category === null) return setIsMissing(true)
    const decisions = from.decisions.map((one) =>
      category !== null && lacksCategory(one) ? { ...one, category } : one,
    )
    return run(async (signal) => {
      try {
        setDone(await decide(decisions, false, signal))
        setChecked(null)
      } finally {
        void invalidateEndpoints(queryClient, [batchAnswers, batchSummary, taskFunnel])
      }
    })
  }

  return (
    <section aria-label={t`Import decisions`} className="card space-y-5 p-5 sm:p-6">
      <div>
        <h2 className="text-lg">{t`Import decisions`}</h2>
        <p className="mt-1 text-sm text-dim">{t`Fill in the columns Approve (any text) or Reject (the reason) of the downloaded file, CSV or JSON lines, then choose it here. For rejections, Category and Requirement can be filled in too. You see what would happen first.`}</p>
      </div>
      <FileDrop
        label={t`Choose the file with your decisions`}
        accept=".csv,.txt,.json,.jsonl,.ndjson,text/csv,application/x-ndjson"
        isDisabled={isApplying}
        onFile={choose}
      />
      {progress !== null && <LabelledProgress label={t`Decisions`} {...progress} />}
      <FormError message={failure} />
      {checked !== null && (
        <div className="space-y-4">
          <p className="text-sm wrap-anywhere">
            <span className="font-number">{checked.fileName}</span>: {countsOf(checked.results)}
          </p>
          {rejects && rule.data?.needsReviewer && (
            <p className="text-sm">{t`Because many of your last decisions were rejections, a neutral reviewer checks these rejections before they count.`}</p>
          )}
          <Problems rows={problemsOf(checked)} />
          {needsCategory && (
            <NativeSelect
              label={t`What is wrong?`}
              description={t`For rejections without a category in their row`}
              required
              data={[
                { value: '', label: t`Choose a category`, disabled: true },
                ...REJECTION_CATEGORIES.map((value) => ({ value, label: REJECTION_CATEGORY_NAMES[value] })),
              ]}
              value={category ?? ''}
              error={isMissing && t`Choose what is wrong with the work`}
              onChange={({ currentTarget }) => {
                setCategory(currentTarget.value as RejectionCategory)
                setIsMissing(false)
              }}
            />
          )}
          <div className="flex flex-wrap justify-end gap-3">
            <Button
              variant="default"
              disabled={isApplying}
              onClick={() => setChecked(null)}
            >{t`Cancel`}</Button>
            <Button
              loading={isApplying}
              disabled={!checked.results.some(({ result }) => result === 'approved' || result === 'rejected')}
              onClick={() => void apply(checked)}
            >
              {t`Apply decisions`}
            </Button>
          </div>
        </div>
      )}
      {done !== null && (
        <div role="status" className="space-y-4">
          <p className="text-sm font-nav">{t`Done: ${{ counts: countsOf(done) }}`}</p>
          <Problems rows={refusedOf(done)} />
        </div>
      )}
    </section>
  )
}

const lacksCategory = ({ decision, category }: Decision) => decision === 'reject' && category === undefined

function Problems({ rows }: { rows: string[] }) {
  if (rows.length === 0) return null
  return (
    <ul aria-label={t`Problems`} className="list-disc space-y-1 pl-5 text-sm text-danger">
      {rows.slice(0, SHOWN).map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one file never move
        <li key={index}>{row}</li>
      ))}
      {rows.length > SHOWN && <li>{t`${{ count: formatNumber(rows.length - SHOWN) }} more`}</li>}
    </ul>
  )
}

function countsOf(results: readonly DecisionResult[]): string {
  const count = (wanted: DecisionResult['result']) =>
    formatNumber(results.filter(({ result }) => result === wanted).length)
  const decisions = plural(results.length, { one: '# decision', other: '# decisions' })
  return t`${decisions}: ${{ approved: count('approved') }} approved, ${{ rejected: count('rejected') }} rejected, ${{ unchanged: count('unchanged') }} unchanged, ${{ refused: count('refused') }} refused`
}

const problemsOf = ({ problems, results }: Checked) => [
  ...problems.map(({ row, message }) => t`Row ${{ row: formatNumber(row) }}: ${message}`),
  ...refusedOf(results),
]

const refusedOf = (results: readonly DecisionResult[]) =>
  results.flatMap(({ submission, error }) => (error === null ? [] : [`${submission}: ${error.message}`]))
