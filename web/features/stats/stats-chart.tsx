import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { SERIES_DAYS, statsSeries } from '#contract/stats.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatCompactDollars, formatCompactNumber } from '#web/lib/dashboard-format.ts'
import { formatCoins, formatDollars, formatNumber } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ChartTable } from './chart-table.tsx'
import { BarChart } from './lazy-bar-chart.ts'

type Unit = 'coins' | 'dollars'
type Point = { day: string; value: number }

/** Renders a chart of the last days, with the total and the highest day in text. */
export function StatsChart({ title, unit }: { title: string; unit: Unit }) {
  const { data, error } = useQuery(queryOf(statsSeries, {}))
  const points = data?.map((point) => ({ day: point.day, value: point[unit] }))
  const empty = data?.every((point) => point[unit] === 0 && point[GROSS[unit]] === 0) ?? false
  const gross = unit === 'dollars' ? data?.reduce((sum, point) => sum + point.grossDollars, 0) : undefined
  return (
    <figure className="card p-4 sm:p-5">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{title}</h2>
        <span className="text-sm text-dim">{points && !empty && summarize(points, unit, gross)}</span>
      </figcaption>
      {error || empty ? (
        <p className="grid h-24 place-items-center lg:h-52 text-sm text-dim">
          {error
            ? errorMessage(error)
            : t`No activity in the last ${{ days: formatNumber(SERIES_DAYS) }} days.`}
        </p>
      ) : (
        <div className="mt-4 h-48 overflow-x-clip">
          {points && (
            <Suspense>
              <BarChart
                name={title}
                days={points.map(({ day }) => day)}
                series={[{ name: title, color: COLORS[unit], values: points.map(({ value }) => value) }]}
                format={FORMATS[unit]}
                formatAxis={AXIS_FORMATS[unit]}
              />
            </Suspense>
          )}
        </div>
      )}
      {points && !empty && (
        <ChartTable
          caption={t`${title}, the last ${{ days: formatNumber(SERIES_DAYS) }} days`}
          columns={[t`Day`, unit === 'coins' ? t`Coins` : t`Dollars`]}
          rows={points.toReversed().map(({ day, value }) => [formatDay(day), FORMATS[unit](value)])}
        />
      )}
    </figure>
  )
}

const COLORS = { coins: 'coin', dollars: 'jade' } as const
const FORMATS = { coins: formatNumber, dollars: formatDollars }
const AXIS_FORMATS = { coins: formatCompactNumber, dollars: formatCompactDollars }
const GROSS = { coins: 'coins', dollars: 'grossDollars' } as const

function summarize(points: Point[], unit: Unit, gross?: number): string {
  const format = unit === 'coins' ? formatCoins : formatDollars
  const total = format(points.reduce((sum, point) => sum + point.value, 0))
  const best = points.reduce((top, point) => (point.value > top.value ? point : top))
  const [days, day] = [formatNumber(SERIES_DAYS), formatDay(best.day)]
  return gross === undefined
    ? t`${total} in the last ${days} days, highest on ${day}`
    : t`${total} net, ${{ gross: format(gross) }} gross in the last ${days} days, highest on ${day}`
}
