import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  decideUnmatchedPayment,
  listUnmatchedPayments,
  type UnmatchedPayment,
} from '#contract/unmatched-payments.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { prompt, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

const REASON = {
  label: t`Reason`,
  maxLength: 2000,
  requiredMessage: t`Enter a reason for the audit log`,
}

type Decision = 'credit' | 'refund' | 'approve' | 'cancel'

const MESSAGES: Record<UnmatchedPayment['status'], string> = {
  open: t`Your decision was saved.`,
  waiting: t`Another Admin has to approve your decision.`,
  credited: t`The coins were credited.`,
  refunding: t`The refund was started.`,
  refunded: t`The payment was refunded.`,
}

/** Returns `credit` and `refund`, which ask for a reason, and `approve` and `cancel` for a decision that waits; `pendingId` is the payment whose decision is in flight. */
export function useUnmatchedDecisions() {
  const queryClient = useQueryClient()
  const [pendingId, setPendingId] = useState<string | null>(null)

  async function decide(
    payment: UnmatchedPayment,
    decision: Decision,
    details: { reason?: string; requested?: 'credit' | 'refund' } = {},
  ) {
    setPendingId(payment._id)
    try {
      const body = { decision, ...details }
      const { status } = await call(decideUnmatchedPayment, { params: { id: payment._id }, body })
      void toast({ message: decision === 'cancel' ? t`The decision was cancelled.` : MESSAGES[status] })
    } catch (error) {
      await showMessage({ title: t`Could not save your decision`, text: errorMessage(error), tone: 'error' })
    } finally {
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(listUnmatchedPayments) })
      setPendingId(null)
    }
  }

  async function credit(payment: UnmatchedPayment): Promise<void> {
    const reason = await prompt({
      ...REASON,
      title: t`Credit this payment?`,
      text: t`${{ buyer: payment.buyer?.name ?? '' }} gets ${{ coins: formatCoins(payment.coins ?? 0) }} for ${{ price: formatDollars(payment.price) }}. This cannot be undone.`,
      confirmLabel: t`Credit`,
    })
    if (reason !== null) await decide(payment, 'credit', { reason })
  }

  async function refund(payment: UnmatchedPayment): Promise<void> {
    const reason = await prompt({
      ...REASON,
      title: t`Refund this payment?`,
      text: t`The card processor returns the money to the card. This cannot be undone.`,
      confirmLabel: t`Refund`,
      danger: true,
    })
    if (reason !== null) await decide(payment, 'refund', { reason })
  }

  const approve = (payment: UnmatchedPayment) =>
    decide(payment, 'approve', payment.requested === null ? {} : { requested: payment.requested.decision })
  const cancel = (payment: UnmatchedPayment) => decide(payment, 'cancel')
  return { credit, refund, approve, cancel, pendingId }
}
