import { useSuspenseQuery } from '@tanstack/react-query'
import { buyerStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { StatTile, StatTiles } from '#web/features/stats/stat-tile.tsx'
import { StatsChart } from '#web/features/stats/stats-chart.tsx'
import { WeekChart } from '#web/features/stats/week-chart.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Renders a buyer's totals (docs/specification/statistics.md). */
export function BuyerStats() {
  const { data } = useSuspenseQuery(queryOf(buyerStats, {}))
  return (
    <>
      <StatTiles label="Your statistics" columns={3}>
        <StatTile label="Total paid" note="to workers" to="/dashboard/approved-task">
          <CoinAmount value={data.totalPaid} />
        </StatTile>
        <StatTile label="In escrow" note="reserved for tasks">
          <CoinAmount value={data.inEscrow} />
        </StatTile>
        <StatTile label="Pending workers" unit="open slots">
          {formatNumber(data.pendingWorkers)}
        </StatTile>
        <StatTile label="Pending reviews" unit="to review" to="/dashboard/task-to-review">
          {formatNumber(data.pendingReviews)}
        </StatTile>
        <StatTile label="All tasks" unit="posted" to="/dashboard/my-task">
          {formatNumber(data.totalTasks)}
        </StatTile>
        <StatTile label="Wallet" unit="since sign-up">
          {formatNumber(data.wallet)}
        </StatTile>
      </StatTiles>
      <StatsChart title="Coins paid to workers" unit="coins" />
      <WeekChart title="Spending by week" tasksTitle="Spending by task" shows="paid" />
    </>
  )
}
