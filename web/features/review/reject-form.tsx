import { Button, Textarea } from '@mantine/core'
import * as z from 'zod/mini'
import { text } from '#contract/shapes.ts'
import { REASON_MAX } from '#contract/submissions.ts'
import { readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import type { DecisionFormProps } from './decisions.tsx'
import { decisionDraftKey } from './draft-key.ts'

const Form = z.object({
  reason: text(REASON_MAX, 'Enter a reason, so that the worker knows what to improve'),
})

/** Renders the form that rejects work, in the place of the decision buttons. */
export function RejectForm({ submission, onDecide, onCancel }: DecisionFormProps) {
  const draftKey = decisionDraftKey('reject', submission._id)
  const form = useForm({
    schema: Form,
    initialValues: readDraft(draftKey, { reason: '' }),
    submit: async ({ reason }) => onDecide({ kind: 'reject', reason }),
  })
  useDraft(draftKey, form.values)

  return (
    <form
      {...form.props}
      aria-label={`Reject work by ${submission.worker_name}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <Textarea
        label="Reason"
        description={`${submission.worker_name} will not be paid. ${formatCoins(submission.payable_amount)} stay in escrow for the task, or are refunded to you if it is closed. The worker sees your reason and can try again.`}
        required
        autoFocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={REASON_MAX}
        {...form.field('reason')}
      />
      <div className="mt-3 flex flex-wrap justify-end gap-3">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" color="red">
          Reject<span className="sr-only"> work by {submission.worker_name}</span>
        </Button>
      </div>
    </form>
  )
}
