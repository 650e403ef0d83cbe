import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type AnswerForm, type Answers, answerText } from '#contract/answer-form.ts'
import { itemOfSubmission } from '#contract/items.ts'
import { AnswerFields } from '#web/features/projects/answer-fields.tsx'
import type { CaseReply } from '#web/features/submissions/unsent-work.ts'
import { queryOf } from '#web/lib/queries.ts'
import { FormError } from '#web/ui/form-error.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { UploadNotice } from '#web/ui/upload-notice.tsx'
import { useAnswers } from './use-answers.ts'

type Props = {
  submissionId: string
  draftKey: string
  /** Sends the revised answers, with their text form. */
  send: (reply: CaseReply, text: string, attempt: { idempotencyKey: string }) => Promise<void>
}

/** Renders the form that revises the work on an item, filled with the earlier answers. */
export function ReviseItemForm({ submissionId, draftKey, send }: Props) {
  const query = useQuery(queryOf(itemOfSubmission, { params: { id: submissionId } }))
  const { data } = query
  if (data === undefined) return <QueryState query={query} skeleton={<ListSkeleton rows={2} />} />
  return <Form form={data.form} earlier={data.answers} draftKey={draftKey} send={send} />
}

type FormProps = Omit<Props, 'submissionId'> & { form: AnswerForm; earlier: Answers }

function Form({ form, earlier, draftKey, send }: FormProps) {
  const { answers, setAnswers, errors, failure, upload, isUploading, isSending, submit } = useAnswers({
    draftKey,
    initial: earlier,
    send: (entered, attempt) =>
      send({ kind: 'revised item', body: { answers: entered } }, answerText(form, entered), attempt),
  })
  return (
    <form
      noValidate
      aria-label={t`Submit revised work`}
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className="text-sm text-dim">{t`Replaces your earlier work. You can revise it once.`}</p>
      <AnswerFields form={form} answers={answers} errors={errors} onChange={setAnswers} upload={upload} />
      <FormError message={failure} />
      {isUploading && <UploadNotice />}
      <div className="flex justify-end">
        <Button type="submit" disabled={isUploading} loading={isSending}>
          {t`Submit revised work`}
        </Button>
      </div>
    </form>
  )
}
