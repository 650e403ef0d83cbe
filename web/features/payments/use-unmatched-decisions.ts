import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { decideUnmatchedPayment, listUnmatchedPayments, type UnmatchedPayment } from '#contract/payments.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { prompt, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

const REASON = {
  label: 'Reason',
  maxLength: 2000,
  requiredMessage: 'Enter a reason for the audit log',
}

/** Returns `credit` and `refund`, which ask for a reason; `pendingId` is the payment whose decision is in flight. */
export function useUnmatchedDecisions() {
  const queryClient = useQueryClient()
  const [pendingId, setPendingId] = useState<string | null>(null)

  async function decide(payment: UnmatchedPayment, decision: 'credit' | 'refund', reason: string) {
    setPendingId(payment._id)
    try {
      await call(decideUnmatchedPayment, { params: { id: payment._id }, body: { decision, reason } })
      void toast({
        message: decision === 'credit' ? 'The coins were credited.' : 'The payment was refunded.',
      })
    } catch (error) {
      await showMessage({ title: 'Could not save your decision', text: errorMessage(error), tone: 'error' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(listUnmatchedPayments) })
      setPendingId(null)
    }
  }

  async function credit(payment: UnmatchedPayment): Promise<void> {
    const reason = await prompt({
      ...REASON,
      title: 'Credit this payment?',
      text: `${payment.buyer?.name} gets ${formatCoins(payment.coins ?? 0)} for ${formatDollars(payment.price)}. This cannot be undone.`,
      confirmLabel: 'Credit',
    })
    if (reason !== null) await decide(payment, 'credit', reason)
  }

  async function refund(payment: UnmatchedPayment): Promise<void> {
    const reason = await prompt({
      ...REASON,
      title: 'Refund this payment?',
      text: 'The card processor returns the money to the card. This cannot be undone.',
      confirmLabel: 'Refund',
      danger: true,
    })
    if (reason !== null) await decide(payment, 'refund', reason)
  }

  return { credit, refund, pendingId }
}
