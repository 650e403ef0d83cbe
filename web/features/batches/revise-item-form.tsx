import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AnswerForm, Answers } from '#contract/answer-form.ts'
import { itemOfSubmission, reviseItem } from '#contract/items.ts'
import { AnswerFields } from '#web/features/projects/answer-fields.tsx'
import { call } from '#web/lib/api.ts'
import { orDraftIsKept } from '#web/lib/keep-draft.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { UploadNotice } from '#web/ui/upload-notice.tsx'
import { useAnswers } from './use-answers.ts'

type Props = { submissionId: string; onRevised: () => Promise<void> }

/** Renders the form that revises the work on an item, filled with the earlier answers. */
export function ReviseItemForm({ submissionId, onRevised }: Props) {
  const query = useQuery(queryOf(itemOfSubmission, { params: { id: submissionId } }))
  const { data } = query
  if (data === undefined) return <QueryState query={query} skeleton={<ListSkeleton rows={2} />} />
  return <Form submissionId={submissionId} form={data.form} earlier={data.answers} onRevised={onRevised} />
}

function Form({
  submissionId: id,
  form,
  earlier,
  onRevised,
}: Props & { form: AnswerForm; earlier: Answers }) {
  const { _id: userId } = useUserData()
  const { answers, setAnswers, errors, failure, upload, isUploading, isSending, submit } = useAnswers({
    draftKey: `revised item ${userId} ${id}`,
    initial: earlier,
    send: async (entered, attempt) => {
      await orDraftIsKept(call(reviseItem, { params: { id }, body: { answers: entered } }, attempt))
      await onRevised()
    },
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
