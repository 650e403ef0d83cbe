import { Button } from '@mantine/core'
import type { Case } from '#contract/appeals.ts'
import { TEXT_MAX } from '#contract/product.ts'
import { acceptRejection } from '#contract/rejections.ts'
import { reviseSubmission } from '#contract/revisions.ts'
import { call } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { AppealForm } from './appeal-form.tsx'
import { StatementForm } from './statement-form.tsx'
import { useCaseActions } from './use-case-actions.ts'

/** Renders what the worker can do in the state of the case. */
export function WorkerActions({ subject }: { subject: Case }) {
  const { email } = useUserData()
  const { confirmed, showDone } = useCaseActions()
  const { _id: id, state, payable_amount } = subject
  const params = { id }

  if (state === 'revision_requested') {
    return (
      <StatementForm
        label="Revised work"
        description="Replaces your earlier work. You can revise it once."
        requiredMessage="Enter your work"
        maxLength={TEXT_MAX}
        initialText={subject.submissoin_data}
        draftKey={`revision ${email} ${id}`}
        submitLabel="Submit revised work"
        submit={async (submissoin_data, { idempotencyKey }) => {
          await call(reviseSubmission, { params, body: { submissoin_data } }, { idempotencyKey })
          await showDone('Your revised work was submitted.')
        }}
      />
    )
  }
  if (state === 'rejection_open') {
    const accept = () =>
      confirmed(
        {
          title: 'Accept the rejection?',
          text: `The rejection becomes final now. You will not be paid ${formatCoins(payable_amount)}, and you can no longer appeal.`,
          confirmLabel: 'Accept rejection',
          danger: true,
        },
        () => call(acceptRejection, { params }),
        'You accepted the rejection.',
      )
    return (
      <AppealForm
        submissionId={id}
        draftKey={`appeal ${email} ${id}`}
        onSent={() => showDone('Your appeal was sent to the buyer.')}
      >
        <Button variant="default" onClick={() => void accept()}>
          Accept rejection
        </Button>
      </AppealForm>
    )
  }
  return null
}
