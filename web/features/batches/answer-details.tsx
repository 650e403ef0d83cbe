import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { AnswerForm } from '#contract/answer-form.ts'
import type { BatchAnswer } from '#contract/batch-answers.ts'
import { ItemPictures } from '#web/features/projects/item-pictures.tsx'
import { SubmissionStateBadge } from '#web/features/submissions/submission-state.tsx'
import { formatDateTime, formatRoundedDuration } from '#web/lib/format-time.ts'
import { UserText } from '#web/ui/user-text.tsx'
import { AgreementBadges } from './agreement-badge.tsx'
import { AnswerList } from './answer-list.tsx'
import { ItemAgreement } from './item-agreement.tsx'
import { FileRow } from './submitted-item.tsx'

type Props = {
  batchId: string
  answer: BatchAnswer
  form: AnswerForm
  /** The columns of the file that have the URLs of pictures. */
  pictureColumns: readonly string[]
}

/** Renders one worker's answers to an item in full, with its pictures, what its workers agree on and the row of the file. */
export function AnswerDetails({ batchId, answer, form, pictureColumns }: Props) {
  const { _id, input, answers, state, worker, submittedAt, workSeconds, reason, known } = answer
  return (
    <div className="space-y-5 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-dim">
        <SubmissionStateBadge state={state} viewer="buyer" />
        <span className="font-mono text-xs">{worker}</span>
        <span>{formatDateTime(submittedAt)}</span>
        {workSeconds !== null && <span>{formatRoundedDuration(workSeconds)}</span>}
      </p>
      <AgreementBadges answer={answer} />
      {reason !== '' && <UserText className="rounded-control bg-danger-soft px-4 py-3">{reason}</UserText>}
      <ItemPictures pictures={picturesOf(answer, pictureColumns)} />
      <AnswerList form={form} answers={answers} known={known} />
      <ItemAgreement batchId={batchId} item={answer.item} form={form} />
      <div className="rounded-control bg-canvas p-4">
        <FileRow input={input} />
      </div>
      <Link to={`/dashboard/case/${_id}`} className="link">{t`Open the case`}</Link>
    </div>
  )
}

/** Returns the pictures of the item that was answered. Every row of a paid batch has a value in each of the columns. */
export const picturesOf = ({ input }: BatchAnswer, pictureColumns: readonly string[]) =>
  pictureColumns.map((column) => ({ column, url: (input[column] ?? '').trim() }))
