import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminPayment, listPayments, sandboxReverse } from '#contract/payments.ts'
import { useSite } from '#web/features/site/site.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatDollars } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { confirm } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

const WORDS = {
  refund: { act: 'Refund', done: 'Refunded in the sandbox.' },
  dispute: { act: 'Dispute', done: 'Disputed in the sandbox.' },
  dispute_won: { act: 'Win dispute', done: 'The dispute was won in the sandbox.' },
} as const

/** What an operator or a card's bank does at the card processor, where the sandbox stands in for it. */
export function SandboxOperator({ payment }: { payment: AdminPayment }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  if (useSite()?.card !== 'sandbox' || payment.status === 'Refunded') return null

  const act = async (kind: keyof typeof WORDS) => {
    const { name, price, coins, transactionId } = payment
    const sure = await confirm({
      title: `${WORDS[kind].act} ${formatDollars(price)}?`,
      text:
        kind === 'dispute_won'
          ? `${coins} coins go back to ${name}.`
          : `${coins} coins are taken back from ${name}; what is already spent is owed.`,
      confirmLabel: WORDS[kind].act,
      danger: kind !== 'dispute_won',
    })
    if (!sure) return
    setBusy(true)
    try {
      await call(sandboxReverse, { body: { transactionId, kind } })
      // The message to our own webhook is worked off behind its answer.
      await new Promise((resolve) => setTimeout(resolve, 400))
      await queryClient.invalidateQueries({ queryKey: queryKeyOf(listPayments) })
      void toast({ message: WORDS[kind].done })
    } catch (error) {
      void toast({ title: 'That did not work', message: errorMessage(error), tone: 'error' })
    } finally {
      setBusy(false)
    }
  }

  const kinds: (keyof typeof WORDS)[] =
    payment.status === 'Disputed' ? ['dispute_won'] : ['refund', 'dispute']
  return kinds.map((kind) => (
    <Button key={kind} size="compact-md" variant="default" loading={busy} onClick={() => void act(kind)}>
      {WORDS[kind].act}
      <span className="sr-only"> of {payment.name}</span>
    </Button>
  ))
}
