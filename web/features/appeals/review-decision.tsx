import { Button, Group, Radio, Textarea } from '@mantine/core'
import * as z from 'zod/mini'
import { APPEAL_TEXT_MAX, type Case, decideReviews } from '#contract/appeals.ts'
import { text } from '#contract/shapes.ts'
import { call } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { useCaseActions } from './use-case-actions.ts'

const Form = z.object({
  decision: z.enum(['upheld', 'overturned'], 'Choose a decision'),
  reason: text(APPEAL_TEXT_MAX, 'Give the reason for your decision'),
})

type Subject = Pick<Case, '_id' | 'held' | 'payable_amount'>

/** Renders the form in which a reviewer decides submissions of one case; `subject` is one of them. */
export function ReviewDecision({ subject, ids }: { subject: Subject; ids: string[] }) {
  const { email } = useUserData()
  const { showDone } = useCaseActions()
  const draftKey = `review ${email} ${subject._id}`
  const form = useForm({
    schema: Form,
    initialValues: readDraft(draftKey, { decision: '', reason: '' }),
    submit: async ({ decision, reason }, { idempotencyKey }) => {
      await call(decideReviews, { body: { ids, decision, reason } }, { idempotencyKey })
      deleteDraft(draftKey)
      await showDone('Your decision was saved.')
    },
  })
  useDraft(draftKey, form.values)
  return (
    <form {...form.props} aria-label="Decision" className="space-y-4">
      <Radio.Group label="Your decision" required {...form.field('decision')}>
        <Group mt={8} gap="xl">
          <Radio
            value="upheld"
            label="Uphold the rejection"
            description={subject.held ? 'It counts, and the worker can appeal.' : 'It becomes final.'}
          />
          <Radio
            value="overturned"
            label="Overturn the rejection"
            description={`${ids.length === 1 ? 'The worker is' : 'Each worker is'} paid ${formatCoins(subject.payable_amount)}.`}
          />
        </Group>
      </Radio.Group>
      <Textarea
        label="Reason"
        description="The worker and the buyer read this."
        required
        autosize
        minRows={3}
        maxRows={16}
        maxLength={APPEAL_TEXT_MAX}
        {...form.field('reason')}
      />
      <FormError message={form.submitError} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button type="submit" loading={form.isSubmitting}>
          Decide
        </Button>
      </div>
    </form>
  )
}
