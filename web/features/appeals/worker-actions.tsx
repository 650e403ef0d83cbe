import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Case } from '#contract/appeals.ts'
import { TEXT_MAX } from '#contract/product.ts'
import { acceptRejection } from '#contract/rejections.ts'
import { reviseSubmission } from '#contract/revisions.ts'
import { ReviseItemForm } from '#web/features/batches/revise-item-form.tsx'
import { call } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { AppealForm } from './appeal-form.tsx'
import { StatementForm } from './statement-form.tsx'
import { useCaseActions } from './use-case-actions.ts'

/** Renders what the worker can do in the state of the case. */
export function WorkerActions({ subject }: { subject: Case }) {
  const { _id: userId } = useUserData()
  const { confirmed, showDone } = useCaseActions()
  const { _id: id, state, payable_amount } = subject
  const params = { id }

  if (state === 'revision_requested' && subject.item !== null)
    return (
      <ReviseItemForm submissionId={id} onRevised={() => showDone(t`Your revised work was submitted.`)} />
    )
  if (state === 'revision_requested') {
    return (
      <StatementForm
        label={t`Revised work`}
        description={t`Replaces your earlier work. You can revise it once.`}
        requiredMessage={t`Enter your work`}
        maxLength={TEXT_MAX}
        initialText={subject.submissoin_data}
        draftKey={`revision ${userId} ${id}`}
        submitLabel={t`Submit revised work`}
        submit={async (submissoin_data, attempt) => {
          await call(reviseSubmission, { params, body: { submissoin_data } }, attempt)
          await showDone(t`Your revised work was submitted.`)
        }}
      />
    )
  }
  if (state === 'rejection_open') {
    const accept = () =>
      confirmed(
        {
          title: t`Accept the rejection?`,
          text: t`The rejection becomes final now. You will not be paid ${{ coins: formatCoins(payable_amount) }}, and you can no longer appeal.`,
          confirmLabel: t`Accept rejection`,
          danger: true,
        },
        () => call(acceptRejection, { params }),
        t`You accepted the rejection.`,
      )
    return (
      <AppealForm
        submissionId={id}
        draftKey={`appeal ${userId} ${id}`}
        onSent={() => showDone(t`Your appeal was sent to the buyer.`)}
      >
        <Button variant="default" onClick={() => void accept()}>{t`Accept rejection`}</Button>
      </AppealForm>
    )
  }
  return null
}
