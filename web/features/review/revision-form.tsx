import { plural, t } from '@lingui/core/macro'
import { Textarea } from '@mantine/core'
import * as z from 'zod/mini'
import { REVISION_DAYS } from '#contract/product.ts'
import { REASON_MAX } from '#contract/rejections.ts'
import { text } from '#contract/shapes.ts'
import { readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { DecisionFormFrame } from './decision-form-frame.tsx'
import type { DecisionFormProps } from './decisions.tsx'
import { decisionDraftKey } from './draft-key.ts'

const Form = z.object({ text: text(REASON_MAX, t`Describe what is missing`) })

/** Renders the form that asks the worker to revise their work, in the place of the decision buttons. */
export function RevisionForm({ submission, onDecide, onCancel }: DecisionFormProps) {
  const { worker_name: worker } = submission
  const draftKey = decisionDraftKey('revise', submission._id)
  const form = useForm({
    about: draftKey,
    schema: Form,
    initialValues: readDraft(draftKey, { text: '' }),
    submit: async (values) => onDecide({ kind: 'revise', ...values }),
  })
  useDraft(draftKey, form.values)
  return (
    <DecisionFormFrame
      label={t`Request a revision of the work by ${worker}`}
      form={form.props}
      kind="revise"
      worker={worker}
      onCancel={onCancel}
    >
      <Textarea
        label={t`What is missing?`}
        description={t`${worker} has ${plural(REVISION_DAYS, { one: '# day', other: '# days' })} to submit revised work. You can request one revision.`}
        required
        autoFocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={REASON_MAX}
        {...form.field('text')}
      />
    </DecisionFormFrame>
  )
}
