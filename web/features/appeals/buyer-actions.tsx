import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { APPEAL_TEXT_MAX, type Case, defendRejection } from '#contract/appeals.ts'
import { concedeRejection, reopenSlot, reverseRejection } from '#contract/rejections.ts'
import { updateSubmissionStatus } from '#contract/submissions.ts'
import { call, callOnce } from '#web/lib/api.ts'
import { deleteDraft } from '#web/lib/drafts.ts'
import { formatCoins } from '#web/lib/format.ts'
import { orDraftIsKept } from '#web/lib/keep-draft.ts'
import { useUserData } from '#web/lib/session.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { BonusForm, FixedCostForm } from './spend-forms.tsx'
import { StatementForm } from './statement-form.tsx'
import { useCaseActions } from './use-case-actions.ts'

/** Renders what the buyer can do in the state of the case. */
export function BuyerActions({ subject }: { subject: Case }) {
  const { _id: userId, role } = useUserData()
  const { confirmed, spend, showDone } = useCaseActions()
  const { _id: id, state, payable_amount: pay } = subject
  const params = { id }
  // A user whose role changed can still end a dispute, but not decide work or spend coins.
  const isBuyer = role === 'Buyer'
  const draftKey = `defence ${userId} ${id}`
  const coins = formatCoins(pay)
  const worker = subject.worker_name ?? t`the worker`

  const approve = () =>
    confirmed(
      {
        title: t`Approve the work as it is?`,
        text: t`${coins} will be paid from escrow to ${worker}.`,
        confirmLabel: t`Pay ${coins}`,
      },
      () => call(updateSubmissionStatus, { params, body: { status: 'approved' } }),
      t`${coins} paid to ${worker}.`,
    )
  const concede = () =>
    confirmed(
      {
        title: t`Withdraw the rejection?`,
        text: t`The work will be approved, and ${coins} will be paid from escrow to ${worker}.`,
        confirmLabel: t`Pay ${coins}`,
      },
      () => call(concedeRejection, { params }),
      t`${coins} paid to ${worker}.`,
    )
  const reopen = () =>
    spend(
      t`Reopen the slot now`,
      (close) => (
        <FixedCostForm
          coins={pay}
          text={t`Another worker can take a slot at once. If the rejection stands, the coins of this slot are refunded to you; if not, you have paid for both pieces of work.`}
          submitLabel={t`Pay ${coins}`}
          send={(attempt) => callOnce(reopenSlot, { params }, attempt)}
          close={close}
        />
      ),
      t`The slot was reopened.`,
    )
  const reverse = () =>
    spend(
      t`Reverse the rejection`,
      (close) => (
        <FixedCostForm
          coins={pay}
          text={t`The work is approved and ${worker} is paid from your balance. This cannot be undone.`}
          submitLabel={t`Pay ${coins}`}
          send={(attempt) => callOnce(reverseRejection, { params }, attempt)}
          close={close}
        />
      ),
      t`${coins} paid to ${worker}.`,
    )
  const bonus = () =>
    spend(
      t`Pay a bonus`,
      (close) => <BonusForm submissionId={id} close={close} />,
      t`The bonus was paid to ${worker}.`,
    )

  const reopenButton = isBuyer && !subject.slotReopened && !subject.isClosed && (
    <Button variant="default" onClick={() => void reopen()}>{t`Reopen slot now`}</Button>
  )
  const concedeButton = (
    <Button variant="default" onClick={() => void concede()}>{t`Withdraw rejection`}</Button>
  )
  switch (state) {
    case 'pending':
      return (
        isBuyer && (
          <FormActions>
            <Button component={Link} to="/dashboard/task-to-review">{t`Review work`}</Button>
          </FormActions>
        )
      )
    case 'revision_requested':
      return (
        isBuyer && (
          <FormActions>
            <Button onClick={() => void approve()}>{t`Approve as it is`}</Button>
          </FormActions>
        )
      )
    case 'appealed':
      return (
        <StatementForm
          label={t`Why do you stand by the rejection?`}
          description={t`The worker and a neutral reviewer read this.`}
          requiredMessage={t`Say why you stand by the rejection`}
          maxLength={APPEAL_TEXT_MAX}
          draftKey={draftKey}
          submitLabel={t`Stand by the rejection`}
          submit={async (text, attempt) => {
            await orDraftIsKept(call(defendRejection, { params, body: { text } }, attempt))
            deleteDraft(draftKey)
            await showDone(t`A neutral reviewer now decides.`)
          }}
        >
          {reopenButton}
          {concedeButton}
        </StatementForm>
      )
    case 'rejection_open':
    case 'in_review':
      return (
        <FormActions>
          {reopenButton}
          {concedeButton}
        </FormActions>
      )
    case 'rejected':
      return (
        isBuyer &&
        !isOver(subject.reversibleUntil) && (
          <FormActions>
            <Button variant="default" onClick={() => void reverse()}>{t`Reverse the rejection`}</Button>
          </FormActions>
        )
      )
    case 'approved':
      return (
        isBuyer && (
          <FormActions>
            <Button variant="default" onClick={() => void bonus()}>{t`Pay a bonus`}</Button>
          </FormActions>
        )
      )
  }
}

function isOver(time: string | null): boolean {
  return time === null || Date.parse(time) <= Date.now()
}
