import { t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { buyerStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { CHARTS_HEIGHT, UserCharts } from '#web/features/stats/lazy-user-charts.ts'
import { StatTile, StatTiles } from '#web/features/stats/stat-tile.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { NearViewport } from '#web/ui/near-viewport.tsx'

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
      <NearViewport height={CHARTS_HEIGHT}>
        <Suspense fallback={<div style={{ height: CHARTS_HEIGHT }} />}>
          <UserCharts shows="paid" />
        </Suspense>
      </NearViewport>
    </>
  )
}
