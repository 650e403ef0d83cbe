import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Case } from '#contract/appeals.ts'
import { TEXT_MAX } from '#contract/product.ts'
import { acceptRejection } from '#contract/rejections.ts'
import { ReviseItemForm } from '#web/features/batches/revise-item-form.tsx'
import { editUnsent, replyDraftKey, sendNewWork } from '#web/features/submissions/send-work.ts'
import { type CaseReply, useWaitingReply } from '#web/features/submissions/unsent-work.ts'
import { WaitingWork } from '#web/features/submissions/waiting-work.tsx'
import { call } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
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
  const waiting = useWaitingReply(userId, id)
  const status = useFocusRecovery<HTMLParagraphElement>(waiting !== undefined)

  /** Sends a reply, or keeps it until the network is back. */
  const send = async (reply: CaseReply, text: string, { idempotencyKey }: { idempotencyKey: string }) => {
    const unsent = { userId, submissionId: id, title: subject.task_title, reply, text }
    const sentId = await sendNewWork({ ...unsent, idempotencyKey, isWaiting: false })
    if (sentId === undefined) return
    await showDone(
      reply.kind === 'appeal' ? t`Your appeal was sent to the buyer.` : t`Your revised work was submitted.`,
    )
  }

  if (waiting) return <WaitingWork text={waiting.text} status={status} onEdit={() => editUnsent(waiting)} />
  if (state === 'revision_requested' && subject.item !== null)
    return (
      <ReviseItemForm submissionId={id} draftKey={replyDraftKey(userId, id, 'revised item')} send={send} />
    )
  if (state === 'revision_requested') {
    return (
      <StatementForm
        label={t`Revised work`}
        description={t`Replaces your earlier work. You can revise it once.`}
        requiredMessage={t`Enter your work`}
        maxLength={TEXT_MAX}
        initialText={subject.submissoin_data}
        draftKey={replyDraftKey(userId, id, 'revision')}
        submitLabel={t`Submit revised work`}
        submit={(text, attempt) => send({ kind: 'revision', body: { submissoin_data: text } }, text, attempt)}
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
        draftKey={replyDraftKey(userId, id, 'appeal')}
        send={(body, attempt) => send({ kind: 'appeal', body }, body.text, attempt)}
      >
        <Button variant="default" onClick={() => void accept()}>{t`Accept rejection`}</Button>
      </AppealForm>
    )
  }
  return null
}
