import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { coinFlow, SERIES_DAYS } from '#contract/stats.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatCompactNumber } from '#web/lib/dashboard-format.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ChartTable } from './chart-table.tsx'
import { BarChart } from './lazy-bar-chart.ts'

const IN = t({ message: 'In', context: 'coins' })
const OUT = t({ message: 'Out', context: 'coins' })

/** Renders the coins that came in, went out and are held, by day. */
export function CoinFlowChart() {
  const { data, error } = useQuery(queryOf(coinFlow, {}))
  const change = data?.reduce((sum, { coinsIn, coinsOut }) => sum + coinsIn - coinsOut, 0) ?? 0
  return (
    <figure className="card p-4 sm:p-5">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{t`Coins in and out`}</h2>
        {data && (
          <span className="text-sm text-dim">
            {t`${{ held: formatCoins(data.at(-1)?.held ?? 0) }} held, ${{ change: signed(change) }} in ${{ days: formatNumber(SERIES_DAYS) }} days`}
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
                <BarChart
                  name={t`Coins in and out`}
                  days={data.map(({ day }) => day)}
                  series={[
                    { name: IN, color: 'jade', values: data.map(({ coinsIn }) => coinsIn) },
                    { name: OUT, color: 'coin', values: data.map(({ coinsOut }) => coinsOut) },
                  ]}
                  format={formatNumber}
                  formatAxis={formatCompactNumber}
                />
              </Suspense>
            </div>
            <ChartTable
              caption={t`Coins in, out and held, the last ${{ days: formatNumber(SERIES_DAYS) }} days`}
              columns={[t`Day`, IN, OUT, t({ message: 'Held', context: 'coins' })]}
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

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value))}`
}
