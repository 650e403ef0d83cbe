import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type AdminPayment, listPayments } from '#contract/payments.ts'
import { sandboxReverse } from '#contract/sandbox-cards.ts'
import { waiting } from '#contract/waiting.ts'
import { useSite } from '#web/features/site/site.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import type { Action } from '#web/ui/action-menu.tsx'
import { confirm } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

const ACTIONS = {
  dispute: {
    label: t({ message: 'Dispute', context: 'verb' }),
    question: (amount: string) => t`Dispute ${amount}?`,
    done: t`Disputed in the sandbox.`,
    danger: true,
  },
  dispute_won: {
    label: t`Win dispute`,
    question: (amount: string) => t`Win dispute ${amount}?`,
    done: t`The dispute was won in the sandbox.`,
    danger: undefined,
  },
} as const

/** Returns the actions that simulate disputes at the sandbox's card processor; none with another processor. */
export function useSandboxActions(payment: AdminPayment): Action[] {
  const queryClient = useQueryClient()
  const isBusy = useRef(false)
  if (useSite()?.card !== 'sandbox' || payment.status === 'Refunded') return []

  const reverse = async (kind: keyof typeof ACTIONS) => {
    if (isBusy.current) return
    const { name, price, coins, transactionId } = payment
    const confirmed = await confirm({
      title: ACTIONS[kind].question(formatDollars(price)),
      text:
        kind === 'dispute_won'
          ? t`${{ coins: formatCoins(coins) }} will be returned to ${name}.`
          : t`${{ coins: formatCoins(coins) }} will be deducted from ${name}. Coins already spent become a debt.`,
      confirmLabel: ACTIONS[kind].label,
      danger: ACTIONS[kind].danger ?? false,
    })
    if (!confirmed) return
    isBusy.current = true
    try {
      await call(sandboxReverse, { body: { transactionId, kind } })
      // The sandbox's webhook is processed after its response.
      await new Promise((resolve) => setTimeout(resolve, 400))
      await invalidateEndpoints(queryClient, [listPayments, waiting])
      void toast({ message: ACTIONS[kind].done })
    } catch (error) {
      void toast({ title: t`The sandbox request failed`, message: errorMessage(error), tone: 'error' })
    } finally {
      isBusy.current = false
    }
  }

  const kind = payment.status === 'Disputed' ? 'dispute_won' : 'dispute'
  const { label, danger } = ACTIONS[kind]
  return [{ label, onClick: () => void reverse(kind), ...(danger && { danger }) }]
}
