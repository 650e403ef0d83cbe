import { t } from '@lingui/core/macro'
import {
  decideUnmatchedPayment,
  listUnmatchedPayments,
  type UnmatchedPayment,
} from '#contract/unmatched-payments.ts'
import { call } from '#web/lib/api.ts'
import { formatCoins, formatDollars, formatNumber } from '#web/lib/format.ts'
import { useChange } from '#web/lib/use-change.ts'
import { confirm, prompt } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import { toast } from '#web/ui/toasts.tsx'

const REASON = {
  label: t`Reason`,
  maxLength: 2000,
  requiredMessage: t`Enter a reason for the audit log`,
}

type Decision = 'credit' | 'refund' | 'approve' | 'cancel'

const MESSAGES: Record<UnmatchedPayment['status'], string> = {
  // A decision leaves a payment open only when the card processor has rejected its refund for the last time.
  open: t`The card processor rejected the refund. The payment needs a decision again.`,
  waiting: t`Another Admin has to approve your decision.`,
  credited: t`The coins were credited.`,
  refunding: t`The refund was started.`,
  refunded: t`The payment was refunded.`,
}

/** Returns the question before a payment is credited or refunded. */
function questionOf(
  { buyer, coins, price, refunded, currency }: UnmatchedPayment,
  decision: 'credit' | 'refund',
) {
  const name = buyer?.name ?? t`Unknown buyer`
  if (decision === 'credit')
    return {
      title: t`Credit this payment?`,
      text: t`${{ buyer: name }} gets ${{ coins: formatCoins(coins ?? 0) }} for ${{ price: formatDollars(price) }}. This cannot be undone.`,
    }
  const left = price - refunded
  const amount = currency === 'usd' ? formatDollars(left) : `${formatNumber(left)} ${currency.toUpperCase()}`
  return {
    title: t`Refund this payment?`,
    text: t`The card processor returns ${amount} to the card (${{ buyer: name }}). This cannot be undone.`,
  }
}

/** Returns `credit` and `refund`, which ask for a reason, and `approve` and `cancel` for a decision that waits; `pendingId` is the payment whose decision is in flight. */
export function useUnmatchedDecisions() {
  const { change, pendingId } = useChange([listUnmatchedPayments])

  async function decide(
    payment: UnmatchedPayment,
    decision: Decision,
    details: { reason?: string; requested?: 'credit' | 'refund' } = {},
  ): Promise<void> {
    const body = { decision, ...details }
    const { status } = await change(payment._id, () =>
      call(decideUnmatchedPayment, { params: { id: payment._id }, body }),
    )
    if (decision === 'cancel') void toast({ message: t`The decision was cancelled.` })
    else void toast({ message: MESSAGES[status], tone: status === 'open' ? 'error' : 'success' })
  }

  const attempt = (decided: Promise<void>) => showFailure(t`Could not save your decision`, decided)

  async function credit(payment: UnmatchedPayment): Promise<void> {
    await prompt({
      ...REASON,
      ...questionOf(payment, 'credit'),
      confirmLabel: t`Credit`,
      draft: `credit ${payment._id}`,
      submit: (reason) => decide(payment, 'credit', { reason }),
    })
  }

  async function refund(payment: UnmatchedPayment): Promise<void> {
    await prompt({
      ...REASON,
      ...questionOf(payment, 'refund'),
      confirmLabel: t`Refund`,
      danger: true,
      draft: `refund ${payment._id}`,
      submit: (reason) => decide(payment, 'refund', { reason }),
    })
  }

  async function approve(payment: UnmatchedPayment): Promise<void> {
    const requested = payment.requested?.decision
    if (requested === undefined) return
    const confirmed = await confirm({
      ...questionOf(payment, requested),
      confirmLabel: t`Approve`,
      danger: requested === 'refund',
    })
    if (confirmed) await attempt(decide(payment, 'approve', { requested }))
  }
  const cancel = (payment: UnmatchedPayment) => attempt(decide(payment, 'cancel'))
  return { credit, refund, approve, cancel, pendingId }
}
