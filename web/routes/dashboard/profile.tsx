import { Suspense } from 'react'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ReservationStrip } from '#web/features/reservations/reservation-strip.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { RecentTransactions } from '#web/features/statement/recent-transactions.tsx'
import { AdminStats } from '#web/features/stats/admin-stats.tsx'
import { BuyerStats } from '#web/features/stats/buyer-stats.tsx'
import { BuyerFirstSteps, WorkerFirstSteps } from '#web/features/stats/first-steps.tsx'
import { WorkerStats } from '#web/features/stats/worker-stats.tsx'
import { EmailPreferences } from '#web/features/users/email-preferences.tsx'
import { HomeOverview } from '#web/features/waiting/home-overview.tsx'
import { formatCoins, formatCoinValue, formatDay } from '#web/lib/format.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { GridSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const STATS = { Worker: WorkerStats, Buyer: BuyerStats, Admin: AdminStats }

/** Renders the user's profile and balance, what to do next, and the statistics. */
export default function Profile() {
  const user = useUserData()
  const rate = useWithdrawalRate()
  const Stats = STATS[user.role]
  return (
    <Screen title="Profile">
      <div className="space-y-4">
        <section aria-label="Account" className="card flex flex-wrap items-center gap-x-5 gap-y-4 p-4 sm:p-5">
          <Avatar name={user.name} image={user.image} size={80} />
          <div className="min-w-0 flex-1 basis-52">
            <h2 className="text-xl tracking-normal">{user.name}</h2>
            <p className="truncate text-dim">{user.email}</p>
            <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-dim">
              <StatusBadge tone="success">{user.role}</StatusBadge>
              Member since {formatDay(user.createdAt.slice(0, 10))}
            </p>
          </div>
          {(user.role !== 'Admin' || user.coin > 0) && (
            <div className="sm:text-right">
              <CoinAmount value={user.coin} className="text-title" />
              <p className="text-sm text-dim">
                {user.role === 'Worker' ? `worth ${formatCoinValue(user.coin, rate)}` : 'available'}
              </p>
              {user.spendable !== undefined && (
                <p className="max-w-60 text-sm">
                  {formatCoins(user.spendable)} can be spent now. Your starting coins can be spent after a
                  purchase.
                </p>
              )}
            </div>
          )}
        </section>
        <HomeOverview user={user} />
        {user.role === 'Worker' && <ReservationStrip />}
        <ErrorBoundary>
          <Suspense fallback={<GridSkeleton cards={4} />}>
            {user.role === 'Worker' ? (
              <WorkerFirstSteps user={user}>
                <Stats />
              </WorkerFirstSteps>
            ) : user.role === 'Buyer' ? (
              <BuyerFirstSteps user={user}>
                <Stats />
              </BuyerFirstSteps>
            ) : (
              <Stats />
            )}
          </Suspense>
        </ErrorBoundary>
        {user.role !== 'Admin' && (
          <ErrorBoundary>
            <Suspense>
              <RecentTransactions email={user.email} />
            </Suspense>
          </ErrorBoundary>
        )}
        <ErrorBoundary>
          <Suspense>
            <EmailPreferences role={user.role} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </Screen>
  )
}
