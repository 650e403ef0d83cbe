import { t } from '@lingui/core/macro'
import { Radio, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { REASON_MAX, rejectionRule } from '#contract/rejections.ts'
import { text } from '#contract/shapes.ts'
import { REJECTION_CATEGORIES, type RejectionCategory } from '#contract/submission-states.ts'
import { useSite } from '#web/features/site/site.ts'
import { REJECTION_CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'
import { readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { DecisionFormFrame } from './decision-form-frame.tsx'
import type { DecisionFormProps } from './decisions.tsx'
import { decisionDraftKey } from './draft-key.ts'

const Form = z.object({
  category: z.enum(REJECTION_CATEGORIES, t`Choose what is wrong with the work`),
  reason: text(REASON_MAX, t`Enter a reason, so that the worker knows what to improve`),
  requirement: z.union([z.literal(''), text(REASON_MAX)]),
})

/** Renders the form that rejects work, in the place of the decision buttons. */
export function RejectForm({ submission, onDecide, onCancel }: DecisionFormProps) {
  const { worker_name: worker, payable_amount } = submission
  const isFinal = useSite()?.appealDays === 0
  const needsReviewer = useQuery(queryOf(rejectionRule, {})).data?.needsReviewer ?? false
  const draftKey = decisionDraftKey('reject', submission._id)
  const form = useForm({
    about: draftKey,
    schema: Form,
    initialValues: readDraft(draftKey, {
      category: '' as RejectionCategory | '',
      reason: '',
      requirement: '',
    }),
    submit: async (values) =>
      onDecide({ kind: 'reject', ...values, ...(needsReviewer && { needsReviewer }) }),
  })
  useDraft(draftKey, form.values)

  return (
    <DecisionFormFrame
      label={t`Reject work by ${worker}`}
      form={form.props}
      kind="reject"
      worker={worker}
      color="red"
      onCancel={onCancel}
    >
      <p className="text-sm text-dim">
        {needsReviewer
          ? t`Because many of your last decisions were rejections, a neutral reviewer checks this one before it counts. ${worker} is paid if the reviewer overturns it, and can appeal if the reviewer upholds it. Until the rejection is final, escrow keeps ${{ coins: formatCoins(payable_amount) }} and the slot stays taken.`
          : isFinal
            ? t`The rejection is final immediately: ${worker} cannot appeal. The slot opens for another worker; if the task is closed, its coins are refunded to you.`
            : t`${worker} can appeal. Until the rejection is final, escrow keeps ${{ coins: formatCoins(payable_amount) }} and the slot stays taken.`}
      </p>
      <Radio.Group label={t`What is wrong?`} required {...form.field('category')}>
        <div className="mt-1.5 grid gap-x-4 gap-y-2 sm:grid-cols-2">
          {REJECTION_CATEGORIES.map((category, index) => (
            <Radio
              key={category}
              value={category}
              label={REJECTION_CATEGORY_NAMES[category]}
              autoFocus={index === 0}
            />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={t`Reason`}
        description={t`The worker sees it.`}
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={REASON_MAX}
        {...form.field('reason')}
      />
      <TextInput
        label={t`Requirement not met`}
        description={t`Optional. The requirement that the work does not meet.`}
        maxLength={REASON_MAX}
        {...form.field('requirement')}
      />
    </DecisionFormFrame>
  )
}
