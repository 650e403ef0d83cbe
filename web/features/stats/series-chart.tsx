import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { formatCompactDollars, formatCompactNumber } from '#web/lib/dashboard-format.ts'
import { formatDollars, formatNumber } from '#web/lib/format.ts'
import { formatDay, formatDayAndMonth } from '#web/lib/format-time.ts'

export type Point = { day: string; value: number }
export type Unit = 'coins' | 'dollars'

/** The axis has no room for long numbers; the tooltip shows them. */
const AXIS_FORMATS = { coins: formatCompactNumber, dollars: formatCompactDollars }

/** Renders a bar chart of daily values. Hidden from screen readers, because stats-chart.tsx summarizes it in text. */
export default function SeriesChart({ name, unit, points }: { name: string; unit: Unit; points: Point[] }) {
  return (
    <BarChart
      aria-hidden
      h="100%"
      data={points}
      dataKey="day"
      series={[{ name: 'value', label: name, color: unit === 'coins' ? 'coin.5' : 'jade.6' }]}
      gridAxis="x"
      tickLine="none"
      valueFormatter={unit === 'coins' ? formatNumber : formatDollars}
      xAxisProps={{
        tickFormatter: formatDayAndMonth,
        minTickGap: 28,
        interval: 'equidistantPreserveStart',
      }}
      yAxisProps={{ allowDecimals: false, width: 56, tickFormatter: AXIS_FORMATS[unit] }}
      gridProps={{ syncWithTicks: true }}
      barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false, margin: { top: 10, right: 4 } }}
      tooltipProps={{ labelFormatter: (value) => (typeof value === 'string' ? formatDay(value) : value) }}
    />
  )
}
