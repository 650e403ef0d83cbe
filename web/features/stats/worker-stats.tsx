import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { workerStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { StatTile, StatTiles } from '#web/features/stats/stat-tile.tsx'
import { StatsChart } from '#web/features/stats/stats-chart.tsx'
import { WeekChart } from '#web/features/stats/week-chart.tsx'
import { formatDollars, formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Renders a worker's totals (docs/specification/statistics.md). */
export function WorkerStats() {
  const { data } = useSuspenseQuery(queryOf(workerStats, {}))
  return (
    <>
      <StatTiles label={t`Your statistics`} columns={4}>
        <StatTile label={t`Submissions`} unit={t`all time`} to="/dashboard/my-submisson">
          {formatNumber(data.allTask)}
        </StatTile>
        <StatTile label={t`Pending`} unit={t`to be decided`} to="/dashboard/my-submisson?status=pending">
          {formatNumber(data.pendingTask)}
        </StatTile>
        <StatTile label={t`Coins earned`} note={t`from approved work`} to="/dashboard/approved-task">
          <CoinAmount value={data.totalEarning} />
        </StatTile>
        <StatTile
          label={t`Withdrawals`}
          note={t`${{ amount: formatDollars(data.withdrawnDollars) }} paid out`}
          to="/dashboard/withDrawal-form"
        >
          <CoinAmount value={data.totalWithdrawn} />
        </StatTile>
      </StatTiles>
      <StatsChart title={t`Coins earned`} unit="coins" />
      <WeekChart title={t`Earnings by week`} tasksTitle={t`Earnings by task`} shows="earned" />
    </>
  )
}
