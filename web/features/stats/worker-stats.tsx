import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { workerStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { CHARTS_HEIGHT, UserCharts } from '#web/features/stats/lazy-user-charts.ts'
import { StatTile, StatTiles } from '#web/features/stats/stat-tile.tsx'
import { formatDollars, formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { NearViewport } from '#web/ui/near-viewport.tsx'

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
      <NearViewport height={CHARTS_HEIGHT}>
        <Suspense fallback={<div style={{ height: CHARTS_HEIGHT }} />}>
          <UserCharts shows="earned" />
        </Suspense>
      </NearViewport>
    </>
  )
}
