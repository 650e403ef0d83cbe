import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import type { Cost } from '#web/features/tasks/task-cost.ts'
import { formatNumber, pluralize } from '#web/lib/format.ts'

type Props = { cost: Cost | null; workers: unknown; pay: unknown; balance: number }

/** The bill as it is typed: what the task costs and what remains of the balance. */
export function CostSummary({ cost, workers, pay, balance }: Props) {
  const remaining = balance - (cost?.total ?? 0)
  return (
    <section aria-label="Cost" className="card p-5">
      <h2 className="sr-only">Cost</h2>
      <dl className="space-y-2 text-sm" aria-live="polite" aria-atomic="true">
        <Line
          label={
            cost ? `${pluralize(Number(workers), 'worker')} × ${formatNumber(Number(pay))}` : 'Workers × pay'
          }
        >
          <CoinAmount value={cost?.work ?? 0} />
        </Line>
        {cost && cost.fee > 0 && (
          <Line label="Fee of the marketplace">
            <CoinAmount value={cost.fee} />
          </Line>
        )}
        <Line label="Total cost" sum>
          <CoinAmount value={cost?.total ?? 0} className="text-xl" />
        </Line>
        <Line label="You have">
          <CoinAmount value={balance} />
        </Line>
        <Line label={remaining < 0 ? 'You are short of' : 'Remains'}>
          <CoinAmount value={Math.abs(remaining)} className={remaining < 0 ? 'text-danger' : ''} />
        </Line>
      </dl>
      <p className="mt-3 text-xs text-dim">
        {remaining < 0
          ? 'Not available Coin. Purchase Coin, or ask for fewer workers.'
          : 'The coins wait in escrow. A worker is paid when you approve the work; what nobody earns comes back.'}
        {remaining >= 0 && cost && cost.fee > 0 && ' The fee does not.'}
      </p>
      {remaining < 0 && (
        <Button component={Link} to="/dashboard/purchase-coin" variant="light" fullWidth className="mt-4">
          Go to Purchase Page
        </Button>
      )}
    </section>
  )
}

function Line({ label, sum = false, children }: { label: string; sum?: boolean; children: React.ReactNode }) {
  return (
    <div
      className={`flex items-baseline justify-between gap-3 ${sum ? 'mb-3 border-b border-line pb-3' : ''}`}
    >
      <dt className={sum ? 'text-base font-number' : 'text-dim'}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
