import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminStats } from '#contract/stats.ts'
import { pendingWithdrawals, type Withdrawal, withdrawStatus } from '#contract/withdrawals.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { confirm, prompt, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** Pay a request out or decline it, once each; `deciding` is the request that is being decided. */
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
      await showMessage({ title: 'This could not be decided', text: errorMessage(error), tone: 'error' })
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
      title: `Have you paid ${amount}?`,
      text: `${formatCoins(request.withdrawalCoin)} of ${request.workerName} are paid out for good: ${amount} to ${request.payment_system} ${request.accountNumber}.`,
      confirmLabel: 'Payment Success',
      cancelLabel: 'Not yet',
    })
    if (confirmed && (await decide(request, { status: 'approved' }))) {
      void showMessage({ title: 'Approved Payment Request', text: `${request.workerName} has been told.` })
    }
  }

  async function decline(request: Withdrawal): Promise<void> {
    const reason = await prompt({
      title: 'Decline this request?',
      text: `${formatCoins(request.withdrawalCoin)} go back to ${request.workerName}, who sees your reason.`,
      label: 'Reason',
      maxLength: 2000,
      requiredMessage: 'Say why, so that the worker knows what to do',
      confirmLabel: 'Decline',
      danger: true,
    })
    if (reason !== null && (await decide(request, { status: 'declined', reason }))) {
      void toast({ title: 'Request declined', message: `The coins are back with ${request.workerName}.` })
    }
  }

  return { pay, decline, pendingRequestId }
}
