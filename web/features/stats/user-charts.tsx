import { t } from '@lingui/core/macro'
import { NearViewport } from '#web/ui/near-viewport.tsx'
import { StatsChart } from './stats-chart.tsx'
import { WeekChart } from './week-chart.tsx'

/** The least height of the chart in pixels, until it is near the viewport. */
const CHART_HEIGHT = 300

/** Renders the charts of a worker's earnings, or of a buyer's spending. */
export default function UserCharts({ shows }: { shows: 'earned' | 'paid' }) {
  return shows === 'earned' ? (
    <>
      <StatsChart title={t`Coins earned`} unit="coins" />
      <NearViewport height={CHART_HEIGHT}>
        <WeekChart
          title={t`Earnings by week`}
          categoriesTitle={t`Earnings by category`}
          tasksTitle={t`Earnings by task`}
          shows="earned"
        />
      </NearViewport>
    </>
  ) : (
    <>
      <StatsChart title={t`Coins paid to workers`} unit="coins" />
      <NearViewport height={CHART_HEIGHT}>
        <WeekChart
          title={t`Spending by week`}
          categoriesTitle={t`Spending by category`}
          tasksTitle={t`Spending by task`}
          shows="paid"
        />
      </NearViewport>
    </>
  )
}
