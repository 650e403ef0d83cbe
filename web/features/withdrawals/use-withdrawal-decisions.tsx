import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminStats } from '#contract/stats.ts'
import { pendingWithdrawals, type Withdrawal, withdrawStatus } from '#contract/withdrawals.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatDollars, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { confirm, prompt, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** Returns `pay` and `decline`; `pendingRequestId` is the request whose decision is in flight. */
export function useWithdrawalDecisions() {
  const queryClient = useQueryClient()
  const [pendingRequestId, setPendingRequestId] = useState<string | null>(null)

  async function decide(request: Withdrawal, body: { status: 'approved' | 'declined'; reason?: string }) {
    setPendingRequestId(request._id)
    try {
      const { _id: id, workerEmail: email, withdrawalCoin: coin, withdrawal_amount: amount } = request
      await call(withdrawStatus, { params: { id }, body: { ...body, email, coin, amount } })
      return true
    } catch (error) {
      await showMessage({ title: 'Could not save your decision', text: errorMessage(error), tone: 'error' })
      return false
    } finally {
      await Promise.all(
        [pendingWithdrawals, adminStats].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
        ),
      )
      setPendingRequestId(null)
    }
  }

  async function pay(request: Withdrawal): Promise<void> {
    const amount = formatDollars(request.withdrawal_amount)
    const confirmed = await confirm({
      title: `Mark ${amount} as paid?`,
      text: `Confirm that you sent ${amount} to ${PAYMENT_SYSTEM_NAMES[request.payment_system]} ${request.accountNumber}. ${formatCoins(request.withdrawalCoin)} of ${request.workerName} are then paid out. This cannot be undone.`,
      confirmLabel: 'Payment Success',
      cancelLabel: 'Not yet',
    })
    if (confirmed && (await decide(request, { status: 'approved' }))) {
      void showMessage({
        title: 'Approved Payment Request',
        text: `${request.workerName} has been notified.`,
      })
    }
  }

  async function decline(request: Withdrawal): Promise<void> {
    const reason = await prompt({
      title: 'Decline this request?',
      text: `${formatCoins(request.withdrawalCoin)} will be returned to ${request.workerName}, who sees your reason.`,
      label: 'Reason',
      maxLength: 2000,
      requiredMessage: 'Enter a reason, so that the worker knows what to do next',
      confirmLabel: 'Decline',
      danger: true,
    })
    if (reason !== null && (await decide(request, { status: 'declined', reason }))) {
      void toast({ title: 'Request declined', message: `The coins were returned to ${request.workerName}.` })
    }
  }

  return { pay, decline, pendingRequestId }
}
