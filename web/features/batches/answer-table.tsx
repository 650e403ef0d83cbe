import { t } from '@lingui/core/macro'
import { type AnswerForm, answerTo } from '#contract/answer-form.ts'
import type { BatchAnswer } from '#contract/batch-answers.ts'
import { SubmissionStateBadge } from '#web/features/submissions/submission-state.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx'
import { showDialog } from '#web/ui/dialogs.tsx'
import { AgreementBadges } from './agreement-badge.tsx'
import { AnswerDetails, picturesOf } from './answer-details.tsx'
import { AnswerValue } from './answer-value.tsx'
import { WorkerLink } from './worker-link.tsx'

type Props = {
  batchId: string
  rows: readonly BatchAnswer[]
  form: AnswerForm
  /** The columns of the file that have the URLs of pictures. */
  pictureColumns: readonly string[]
}

/** Renders the answers to the items of a batch, with the pictures of the items and a column for each question. */
export function AnswerTable({ batchId, rows, form, pictureColumns }: Props) {
  const open = (answer: BatchAnswer) =>
    showDialog<null>({
      title: t`Item ${{ number: formatNumber(answer.item) }}`,
      content: () => (
        <AnswerDetails batchId={batchId} answer={answer} form={form} pictureColumns={pictureColumns} />
      ),
    })
  const columns: DataColumn<BatchAnswer>[] = [
    { header: t`Item`, cell: (answer) => <ItemButton answer={answer} onOpen={() => void open(answer)} /> },
    ...pictureColumns.map((column) => ({
      header: column,
      cell: (answer: BatchAnswer) => <Thumbnails answer={answer} pictureColumns={[column]} />,
    })),
    { header: t`Agreement`, cell: (answer) => <AgreementBadges answer={answer} /> },
    ...form.fields.map((field) => ({
      header: field.label,
      width: 'min-w-32 max-w-80',
      cell: ({ answers }: BatchAnswer) => <AnswerValue field={field} value={answerTo(answers, field.name)} />,
    })),
    {
      header: t`Worker`,
      cell: ({ worker }) => <WorkerLink worker={worker} />,
    },
    {
      header: t`Submitted`,
      cell: ({ submittedAt }) => <span className="whitespace-nowrap">{formatDateTime(submittedAt)}</span>,
    },
    { header: t`State`, cell: ({ state }) => <SubmissionStateBadge state={state} viewer="buyer" /> },
  ]
  return (
    <DataTable
      label={t`Answers`}
      rows={rows}
      rowKey={({ _id }) => _id}
      columns={columns}
      renderCard={(answer) => (
        <div className="space-y-2 text-sm">
          <p className="flex flex-wrap items-center justify-between gap-2">
            <ItemButton answer={answer} onOpen={() => void open(answer)} />
            <SubmissionStateBadge state={answer.state} viewer="buyer" />
          </p>
          <Thumbnails answer={answer} pictureColumns={pictureColumns} />
          <AgreementBadges answer={answer} />
          <WorkerLink worker={answer.worker} />
          <dl className="space-y-1">
            {form.fields.map((field) => (
              <div key={field.name}>
                <dt className="text-xs wrap-anywhere text-dim">{field.label}</dt>
                <dd>
                  <AnswerValue field={field} value={answerTo(answer.answers, field.name)} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    />
  )
}

function Thumbnails({ answer, pictureColumns }: { answer: BatchAnswer } & Pick<Props, 'pictureColumns'>) {
  return picturesOf(answer, pictureColumns).map(({ column, url }) => (
    <AnswerValue
      key={column}
      field={{ type: 'picture', name: column, label: column, required: true }}
      value={url}
    />
  ))
}

function ItemButton({ answer: { item }, onOpen }: { answer: BatchAnswer; onOpen: () => void }) {
  return (
    <button type="button" className="link min-h-6 cursor-pointer whitespace-nowrap" onClick={onOpen}>
      {t`Item ${{ number: formatNumber(item) }}`}
    </button>
  )
}
