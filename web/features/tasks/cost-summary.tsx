import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { CostLine } from '#web/features/coins/cost-line.tsx'
import type { ReturnToTask } from '#web/features/payments/return-to-task.ts'
import { type Cost, workText } from '#web/features/tasks/task-cost.ts'

type Props = {
  cost: Cost | null
  workers: unknown
  pay: unknown
  balance: number
  spendable?: number | undefined
}

/** Renders the cost of the task being typed, and the balance after posting it. */
export function CostSummary({ cost, workers, pay, balance, spendable = balance }: Props) {
  const { pathname, search } = useLocation()
  const total = cost?.total ?? 0
  const missing = total - spendable
  const remaining = missing > 0 ? -missing : balance - total
  return (
    <section aria-label={t`Cost`} className="card p-5">
      <h2 className="sr-only">{t`Cost`}</h2>
      <dl className="space-y-2 text-sm" aria-live="polite" aria-atomic="true">
        <CostLine label={cost ? workText(Number(workers), Number(pay)) : t`Workers × pay`}>
          <CoinAmount value={cost?.work ?? 0} />
        </CostLine>
        {cost && cost.fee > 0 && (
          <CostLine label={t`Marketplace fee`}>
            <CoinAmount value={cost.fee} />
          </CostLine>
        )}
        <CostLine label={t`Total cost`} sum>
          <CoinAmount value={cost?.total ?? 0} className="text-xl" />
        </CostLine>
        <CostLine label={t`Your balance`}>
          <CoinAmount value={balance} />
        </CostLine>
        {spendable < balance && (
          <CostLine label={t`You can spend now`}>
            <CoinAmount value={spendable} />
          </CostLine>
        )}
        <CostLine label={remaining < 0 ? t`Coins needed` : t`Balance after posting`}>
          <CoinAmount value={Math.abs(remaining)} className={remaining < 0 ? 'text-danger' : ''} />
        </CostLine>
      </dl>
      <p className="mt-3 text-xs text-dim">
        {remaining < 0
          ? t`Not available Coin. Purchase Coin, or ask for fewer workers.`
          : t`Coins are held in escrow and paid when you approve the work. Unused coins are refunded.`}
        {remaining >= 0 && cost && cost.fee > 0 && ` ${t`The fee is not refunded.`}`}
      </p>
      {remaining < 0 && (
        <Button
          component={Link}
          to="/dashboard/purchase-coin"
          state={{ returnTo: pathname + search } satisfies ReturnToTask}
          variant="light"
          fullWidth
          className="mt-4"
        >
          {t`Go to Purchase Page`}
        </Button>
      )}
    </section>
  )
}
