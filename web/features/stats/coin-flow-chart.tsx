import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { coinFlow, SERIES_DAYS } from '#contract/stats.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { ChartTable } from './chart-table.tsx'

const FlowChart = lazyComponent(() => import('#web/features/stats/flow-chart.tsx'))

/** Renders the coins that came in, went out and are held, by day. */
export function CoinFlowChart() {
  const { data, error } = useQuery(queryOf(coinFlow, {}))
  const held = data?.at(-1)?.held ?? 0
  const change = held - (data?.[0]?.held ?? 0)
  return (
    <figure className="card p-4 sm:p-5">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">Coins in and out</h2>
        {data && (
          <span className="text-sm text-dim">
            {formatCoins(held)} held, {change < 0 ? '−' : '+'}
            {formatNumber(Math.abs(change))} in {SERIES_DAYS} days
          </span>
        )}
      </figcaption>
      {error ? (
        <p className="grid h-24 place-items-center text-sm text-dim">{errorMessage(error)}</p>
      ) : (
        data && (
          <>
            <div className="mt-4 h-56 overflow-x-clip">
              <Suspense>
                <FlowChart days={data} />
              </Suspense>
            </div>
            <ChartTable
              caption={`Coins in, out and held, the last ${SERIES_DAYS} days`}
              columns={['Day', 'In', 'Out', 'Held']}
              rows={data
                .toReversed()
                .map(({ day, coinsIn, coinsOut, held: atEnd }) => [
                  formatDay(day),
                  formatNumber(coinsIn),
                  formatNumber(coinsOut),
                  formatNumber(atEnd),
                ])}
            />
          </>
        )
      )}
    </figure>
  )
}
