import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import type { Cost } from '#web/features/tasks/cost.ts'
import { count, number } from '#web/lib/format.ts'

type Props = { cost: Cost | null; workers: unknown; pay: unknown; balance: number }

/** The bill as it is typed: what the task costs and what remains of the balance. */
export function CostSummary({ cost, workers, pay, balance }: Props) {
  const remains = balance - (cost?.total ?? 0)
  return (
    <section aria-label="Cost" className="card p-5">
      <h2 className="text-lg">Total cost</h2>
      <dl className="mt-3 space-y-2 text-sm" aria-live="polite" aria-atomic="true">
        <Line label={cost ? `${count(Number(workers), 'worker')} × ${number(Number(pay))}` : 'Workers × pay'}>
          <CoinAmount value={cost?.work ?? 0} />
        </Line>
        {cost && cost.fee > 0 && (
          <Line label="Fee of the marketplace">
            <CoinAmount value={cost.fee} />
          </Line>
        )}
        <Line label="You have">
          <CoinAmount value={balance} />
        </Line>
        <Line label={remains < 0 ? 'You are short of' : 'Remains'} last>
          <CoinAmount value={Math.abs(remains)} className={`text-xl ${remains < 0 ? 'text-danger' : ''}`} />
        </Line>
      </dl>
      <p className="mt-3 text-xs text-dim">
        {remains < 0
          ? 'Not available Coin. Purchase Coin, or ask for fewer workers.'
          : 'The coins wait in escrow. A worker is paid when you approve the work; what nobody earns comes back.'}
      </p>
      {remains < 0 && (
        <Button component={Link} to="/dashboard/purchase-coin" variant="light" fullWidth className="mt-4">
          Go to Purchase Page
        </Button>
      )}
    </section>
  )
}

function Line({
  label,
  last = false,
  children,
}: {
  label: string
  last?: boolean
  children: React.ReactNode
}) {
  return (
    <div className={`flex items-center justify-between gap-3 ${last ? 'border-t border-line pt-3' : ''}`}>
      <dt className="text-dim">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
