import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { adminStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { CoinDistribution } from '#web/features/stats/coin-distribution.tsx'
import { CoinFlowChart } from '#web/features/stats/coin-flow-chart.tsx'
import { Solvency } from '#web/features/stats/solvency.tsx'
import { StatTile, StatTiles } from '#web/features/stats/stat-tile.tsx'
import { StatsChart } from '#web/features/stats/stats-chart.tsx'
import { formatDollars, formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Renders the operator's totals: users, money, coin distribution and solvency (docs/specification/statistics.md). */
export function AdminStats() {
  const { data } = useSuspenseQuery(queryOf(adminStats, {}))
  return (
    <>
      <StatTiles label={t`Marketplace statistics`} columns={4}>
        <StatTile label={t`Workers`} unit={t`registered`} to="/dashboard/manage-users?role=Worker">
          {formatNumber(data.totalWorker)}
        </StatTile>
        <StatTile label={t`Buyers`} unit={t`registered`} to="/dashboard/manage-users?role=Buyer">
          {formatNumber(data.totalBuyer)}
        </StatTile>
        <StatTile label={t`Total coins`} note={t`held by users`}>
          <CoinAmount value={data.totalCoin} />
        </StatTile>
        <StatTile
          label={t`Total payments`}
          note={t`net by card, ${{ gross: formatDollars(data.grossPayments) }} gross`}
        >
          {formatDollars(data.totalPayments)}
        </StatTile>
      </StatTiles>
      <div className="grid gap-4 @4xl:grid-cols-2">
        <StatsChart title={t`Coins paid to workers`} unit="coins" />
        <StatsChart title={t`Received by card, net`} unit="dollars" />
        <CoinFlowChart />
        <CoinDistribution heldByUsers={data.totalCoin} books={data.books} />
        <Solvency solvency={data.solvency} />
      </div>
    </>
  )
}
