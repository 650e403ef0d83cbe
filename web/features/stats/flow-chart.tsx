import '@mantine/charts/styles.layer.css'
import '@mantine/core/styles/ColorSwatch.layer.css'
import { BarChart } from '@mantine/charts'
import type { coinFlow } from '#contract/stats.ts'
import type { Reply } from '#web/lib/api.ts'
import { formatCompactNumber } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatDay, formatDayAndMonth } from '#web/lib/format-time.ts'

/** Renders a bar chart of the coins in and out by day. Hidden from screen readers: coin-flow-chart.tsx has a table. */
export default function FlowChart({ days }: { days: Reply<typeof coinFlow> }) {
  return (
    <BarChart
      aria-hidden
      h="100%"
      data={days}
      dataKey="day"
      withLegend
      series={[
        { name: 'coinsIn', label: 'In', color: 'jade.6' },
        { name: 'coinsOut', label: 'Out', color: 'coin.5' },
      ]}
      gridAxis="x"
      tickLine="none"
      valueFormatter={formatNumber}
      xAxisProps={{
        tickFormatter: formatDayAndMonth,
        minTickGap: 28,
        interval: 'equidistantPreserveStart',
      }}
      yAxisProps={{ allowDecimals: false, width: 56, tickFormatter: formatCompactNumber }}
      gridProps={{ syncWithTicks: true }}
      barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false, margin: { top: 10, right: 4 } }}
      tooltipProps={{ labelFormatter: (value) => (typeof value === 'string' ? formatDay(value) : value) }}
    />
  )
}
