import { t } from '@lingui/core/macro'
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
      <StatTiles label={t`Your statistics`} columns={3}>
        <StatTile label={t`Total paid`} note={t`to workers`} to="/dashboard/approved-task">
          <CoinAmount value={data.totalPaid} />
        </StatTile>
        <StatTile label={t`In escrow`} note={t`reserved for tasks`}>
          <CoinAmount value={data.inEscrow} />
        </StatTile>
        <StatTile label={t`Pending workers`} unit={t`open slots`}>
          {formatNumber(data.pendingWorkers)}
        </StatTile>
        <StatTile label={t`Pending reviews`} unit={t`to review`} to="/dashboard/task-to-review">
          {formatNumber(data.pendingReviews)}
        </StatTile>
        <StatTile label={t`All tasks`} unit={t`posted`} to="/dashboard/my-task">
          {formatNumber(data.totalTasks)}
        </StatTile>
        <StatTile label={t`Wallet`} unit={t`since sign-up`}>
          {formatNumber(data.wallet)}
        </StatTile>
      </StatTiles>
      <StatsChart title={t`Coins paid to workers`} unit="coins" />
      <WeekChart title={t`Spending by week`} tasksTitle={t`Spending by task`} shows="paid" />
    </>
  )
}
