import '@mantine/charts/styles.layer.css'
import { AreaChart } from '@mantine/charts'
import { day, dollars, number } from '#web/lib/format.ts'

export type Point = { day: string; value: number }
export type Unit = 'coins' | 'dollars'

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The curve of a figure over days. Its words stand beside it (stats-chart.tsx). */
export default function SeriesChart({ name, unit, points }: { name: string; unit: Unit; points: Point[] }) {
  return (
    <AreaChart
      h="100%"
      data={points}
      dataKey="day"
      series={[{ name: 'value', label: name, color: unit === 'coins' ? 'coin.5' : 'jade.6' }]}
      curveType="monotone"
      gridAxis="x"
      tickLine="none"
      withDots={false}
      strokeWidth={2}
      fillOpacity={0.25}
      valueFormatter={unit === 'coins' ? number : dollars}
      xAxisProps={{ tickFormatter: (value: string) => short.format(new Date(value)), minTickGap: 32 }}
      yAxisProps={{ allowDecimals: false, width: 56 }}
      areaChartProps={{ accessibilityLayer: false }}
      tooltipProps={{ labelFormatter: (value) => day(String(value)) }}
    />
  )
}
