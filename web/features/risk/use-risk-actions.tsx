import { t } from '@lingui/core/macro'
import { freezeUser, freezeWithdrawal } from '#contract/freezes.ts'
import { assessRisk, clearRisk } from '#contract/risk.ts'
import { pendingWithdrawals, type WithdrawalRequest } from '#contract/withdrawals.ts'
import { promptToEndFreeze } from '#web/features/risk/end-freeze.ts'
import { call } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useChange } from '#web/lib/use-change.ts'
import { prompt } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import { toast } from '#web/ui/toasts.tsx'

const REASON = { label: t`Reason`, maxLength: 2000 }
const READ_BY_USER = t`Enter a reason. The user will see it.`

/** Returns what an Admin can do about the risk of a request. */
export function useRiskActions({ _id: id, workerName, withdrawalCoin, risk }: WithdrawalRequest) {
  const changes = useChange([pendingWithdrawals])

  /** Makes a change and shows that it was made. */
  async function change(message: string, send: () => Promise<unknown>): Promise<void> {
    await changes.change(id, send)
    void toast({ message })
  }

  async function clear(): Promise<void> {
    await prompt({
      ...REASON,
      title: t`Clear this request for payment?`,
      text: t`The reasons for the score remain listed. ${workerName} is not notified. Your reason is kept in the audit log.`,
      requiredMessage: t`Enter why this request can be paid`,
      confirmLabel: t`Clear for payment`,
      draft: `clear ${id}`,
      submit: (reason) =>
        change(t`The request can be paid.`, () => call(clearRisk, { params: { id }, body: { reason } })),
    })
  }

  async function freezeRequest(): Promise<void> {
    await prompt({
      ...REASON,
      title: t`Freeze this request?`,
      text: t`The ${{ coins: formatCoins(withdrawalCoin) }} stay on hold and cannot be paid. ${workerName} will see your reason and can respond.`,
      requiredMessage: READ_BY_USER,
      confirmLabel: t`Freeze request`,
      danger: true,
      draft: `freeze ${id}`,
      submit: (reason) =>
        change(t`The request is frozen.`, () => call(freezeWithdrawal, { params: { id }, body: { reason } })),
    })
  }

  async function freezeWorker(): Promise<void> {
    const worker = risk?.workerId
    if (worker === undefined) return
    await prompt({
      ...REASON,
      title: t`Freeze the account of ${workerName}?`,
      text: t`None of their coins can move until the freeze ends. They can still submit work, read your reason and respond.`,
      requiredMessage: READ_BY_USER,
      confirmLabel: t`Freeze account`,
      danger: true,
      draft: `freeze ${worker}`,
      submit: (reason) =>
        change(t`The account is frozen.`, () =>
          call(freezeUser, { params: { id: worker }, body: { reason } }),
        ),
    })
  }

  const assess = () =>
    showFailure(
      t`Not saved`,
      change(t`The score is up to date.`, () => call(assessRisk, { params: { id } })),
    )

  const endFreeze = (freeze: string) =>
    promptToEndFreeze(freeze, (end) => change(t`The freeze has ended.`, end))

  return { clear, assess, freezeRequest, freezeWorker, endFreeze, isPending: changes.pendingId !== null }
}
