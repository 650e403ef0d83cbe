import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminPayment, listPayments } from '#contract/payments.ts'
import { sandboxReverse } from '#contract/sandbox-cards.ts'
import { useSite } from '#web/features/site/site.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { confirm } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

const ACTIONS = {
  dispute: {
    label: t({ message: 'Dispute', context: 'verb' }),
    question: (amount: string) => t`Dispute ${amount}?`,
    done: t`Disputed in the sandbox.`,
  },
  dispute_won: {
    label: t`Win dispute`,
    question: (amount: string) => t`Win dispute ${amount}?`,
    done: t`The dispute was won in the sandbox.`,
  },
} as const

/** Renders buttons that simulate disputes at the sandbox's card processor. */
export function SandboxActions({ payment }: { payment: AdminPayment }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  if (useSite()?.card !== 'sandbox' || payment.status === 'Refunded') return null

  const reverse = async (kind: keyof typeof ACTIONS) => {
    const { name, price, coins, transactionId } = payment
    const confirmed = await confirm({
      title: ACTIONS[kind].question(formatDollars(price)),
      text:
        kind === 'dispute_won'
          ? t`${{ coins: formatCoins(coins) }} will be returned to ${name}.`
          : t`${{ coins: formatCoins(coins) }} will be deducted from ${name}. Coins already spent become a debt.`,
      confirmLabel: ACTIONS[kind].label,
      danger: kind !== 'dispute_won',
    })
    if (!confirmed) return
    setBusy(true)
    try {
      await call(sandboxReverse, { body: { transactionId, kind } })
      // The sandbox's webhook is processed after its response.
      await new Promise((resolve) => setTimeout(resolve, 400))
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(listPayments) })
      void toast({ message: ACTIONS[kind].done })
    } catch (error) {
      void toast({ title: t`The sandbox request failed`, message: errorMessage(error), tone: 'error' })
    } finally {
      setBusy(false)
    }
  }

  const buyer = payment.name
  const kinds: (keyof typeof ACTIONS)[] = payment.status === 'Disputed' ? ['dispute_won'] : ['dispute']
  return kinds.map((kind) => (
    <Button key={kind} size="compact-md" variant="default" loading={busy} onClick={() => void reverse(kind)}>
      {kind === 'dispute' ? (
        <Trans>
          Dispute<span className="sr-only"> of {buyer}</span>
        </Trans>
      ) : (
        <Trans>
          Win dispute<span className="sr-only"> of {buyer}</span>
        </Trans>
      )}
    </Button>
  ))
}
