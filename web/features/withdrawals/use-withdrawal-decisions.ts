import { t } from '@lingui/core/macro'
import { exchangeRate, poishaOf } from '#contract/exchange-rates.ts'
import { claimPayout, releasePayoutClaim } from '#contract/payouts.ts'
import { adminStats } from '#contract/stats.ts'
import { pendingWithdrawals, type WithdrawalRequest, withdrawStatus } from '#contract/withdrawals.ts'
import { confirmPayment } from '#web/features/payouts/payment-form.tsx'
import { call } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { useChange } from '#web/lib/use-change.ts'
import { prompt, showMessage } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import { toast } from '#web/ui/toasts.tsx'

type Decision =
  | { status: 'approved'; transactionId: string; poisha: number | null }
  | { status: 'declined'; reason: string }

/**
 * Returns what an Admin can do with a request. Paying claims it first, so that no other Admin pays it meanwhile.
 * `pendingRequestId` is the request with a change in flight.
 */
export function useWithdrawalDecisions() {
  const { change, pendingId } = useChange([pendingWithdrawals, adminStats])

  function decide(request: WithdrawalRequest, decision: Decision): Promise<unknown> {
    const { _id: id, workerEmail: email, withdrawalCoin: coin, withdrawal_amount: amount } = request
    return change(request._id, () =>
      call(withdrawStatus, { params: { id }, body: { ...decision, email, coin, amount } }),
    )
  }

  function claim(request: WithdrawalRequest, body: { reason?: string }): Promise<unknown> {
    return change(request._id, () => call(claimPayout, { params: { withdrawalId: request._id }, body }))
  }

  async function pay(request: WithdrawalRequest): Promise<void> {
    // The rate first: a request whose payment cannot be shown is not taken.
    const opened = change(request._id, async () => {
      const current = await call(exchangeRate, {})
      const claimed = await call(claimPayout, { params: { withdrawalId: request._id }, body: {} })
      return { current, needsOther: claimed.awaitsSecond }
    })
    const claimed = await showFailure(t`Could not take the request`, opened)
    if (claimed === undefined) return
    const { current, needsOther } = claimed
    if (needsOther) {
      showChecked()
      return
    }
    const rate = current.rate?.rate ?? null
    const cents = Math.round(request.withdrawal_amount * 100)
    // Payouts to other systems are paid in dollars.
    const poisha = rate === null || request.payment_system === 'Other' ? null : poishaOf(cents, rate)
    const isPaid = await confirmPayment({
      payout: { ...request, coins: request.withdrawalCoin, cents, poisha },
      rate,
      submit: (transactionId) => decide(request, { status: 'approved', transactionId, poisha }),
    })
    if (isPaid) {
      void showMessage({
        title: t`Approved Payment Request`,
        text: t`${{ worker: request.workerName }} has been notified.`,
      })
    }
  }

  /** The first of two Admins checks the payment. */
  async function check(request: WithdrawalRequest): Promise<void> {
    if (await showFailure(t`Could not take the request`, claim(request, {}))) showChecked()
  }

  async function takeOver(request: WithdrawalRequest): Promise<void> {
    await prompt({
      title: t`Take over this request?`,
      text: t`Make sure that ${{ admin: request.payout?.claimedBy?.name ?? t`the other Admin` }} has not sent the money. Your reason is kept in the audit log.`,
      label: t`Reason`,
      maxLength: 2000,
      requiredMessage: t`Enter a reason for the audit log`,
      confirmLabel: t`Take over`,
      danger: true,
      draft: `take over ${request._id}`,
      submit: (reason) => claim(request, { reason }),
    })
  }

  async function release(request: WithdrawalRequest): Promise<void> {
    const released = change(request._id, () =>
      call(releasePayoutClaim, { params: { withdrawalId: request._id } }),
    )
    await showFailure(t`Could not release the request`, released)
  }

  async function decline(request: WithdrawalRequest): Promise<void> {
    await prompt({
      title: t`Decline this request?`,
      text: t`${{ coins: formatCoins(request.withdrawalCoin) }} will be returned to ${{ worker: request.workerName }}, who sees your reason.`,
      label: t`Reason`,
      maxLength: 2000,
      requiredMessage: t`Enter a reason, so that the worker knows what to do next`,
      confirmLabel: t`Decline`,
      danger: true,
      draft: `decline ${request._id}`,
      submit: async (reason) => {
        await decide(request, { status: 'declined', reason })
        void toast({
          title: t`Request declined`,
          message: t`The coins were returned to ${{ worker: request.workerName }}.`,
        })
      },
    })
  }

  return { pay, check, takeOver, release, decline, pendingRequestId: pendingId }
}

function showChecked(): void {
  void toast({ title: t`Payment checked`, message: t`Another Admin can pay it now.` })
}
