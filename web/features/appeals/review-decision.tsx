import { t } from '@lingui/core/macro'
import { Button, Radio, Textarea } from '@mantine/core'
import * as z from 'zod/mini'
import { APPEAL_TEXT_MAX, type Case, decideReviews, REVIEWS_AT_ONCE } from '#contract/appeals.ts'
import { text } from '#contract/shapes.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { deleteDraft, readDraft, useDraft } from '#web/lib/drafts.ts'
import { useForm } from '#web/lib/form.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { useCaseActions } from './use-case-actions.ts'

const Form = z.object({
  decision: z.enum(['upheld', 'overturned'], t`Choose a decision`),
  reason: text(APPEAL_TEXT_MAX, t`Give the reason for your decision`),
})

type Subject = Pick<Case, '_id' | 'held' | 'payable_amount'>

/** Renders the form in which a reviewer decides submissions of one case; `subject` is one of them. */
export function ReviewDecision({ subject, ids }: { subject: Subject; ids: string[] }) {
  const { _id: userId } = useUserData()
  const { refetch, showDone } = useCaseActions()
  const coins = formatCoins(subject.payable_amount)
  const draftKey = `review ${userId} ${subject._id}`
  const form = useForm({
    about: draftKey,
    schema: Form,
    initialValues: readDraft(draftKey, { decision: '', reason: '' }),
    submit: async ({ decision, reason }, attempt) => {
      try {
        // A retry sends the ids of the first attempt, so that each of its requests has the same key and body as then.
        const { sent } = attempt.keepBody({ sent: ids }) as { sent: string[] }
        for (let from = 0; from < sent.length; from += REVIEWS_AT_ONCE) {
          const body = { ids: sent.slice(from, from + REVIEWS_AT_ONCE), decision, reason }
          await call(decideReviews, { body }, { idempotencyKey: `${attempt.idempotencyKey}-${from}` })
        }
      } catch (error) {
        // It was decided in another tab, or passed to another reviewer: the form may be removed.
        if (!(error instanceof ApiError) || !['already_decided', 'not_yours'].includes(error.code))
          throw error
        await refetch()
        void toast({ message: error.message, tone: 'error' })
        return
      }
      deleteDraft(draftKey)
      await showDone(t`Your decision was saved.`)
    },
  })
  useDraft(draftKey, form.values)
  return (
    <form {...form.props} aria-label={t`Decision`} className="space-y-4">
      <Radio.Group label={t`Your decision`} required {...form.field('decision')}>
        <div className="mt-2 flex flex-wrap items-center gap-8">
          <Radio
            value="upheld"
            label={t`Uphold the rejection`}
            description={subject.held ? t`It counts, and the worker can appeal.` : t`It becomes final.`}
          />
          <Radio
            value="overturned"
            label={t`Overturn the rejection`}
            description={
              ids.length === 1 ? t`The worker is paid ${coins}.` : t`Each worker is paid ${coins}.`
            }
          />
        </div>
      </Radio.Group>
      <Textarea
        label={t`Reason`}
        description={t`The worker and the buyer read this.`}
        required
        autosize
        minRows={3}
        maxRows={16}
        maxLength={APPEAL_TEXT_MAX}
        {...form.field('reason')}
      />
      <FormError message={form.submitError} />
      <FormActions>
        <Button type="submit" loading={form.isSubmitting}>{t`Decide`}</Button>
      </FormActions>
    </form>
  )
}
