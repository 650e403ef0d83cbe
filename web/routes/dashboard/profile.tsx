import { t } from '@lingui/core/macro'
import './profile.css'
import { Suspense } from 'react'
import { WorkProfile } from '#web/features/audience/work-profile.tsx'
import { ReservationStrip } from '#web/features/reservations/reservation-strip.tsx'
import { useSite } from '#web/features/site/site.ts'
import { RecentTransactions } from '#web/features/statement/recent-transactions.tsx'
import { AdminFirstSteps } from '#web/features/stats/admin-first-steps.tsx'
import { AdminStats } from '#web/features/stats/admin-stats.tsx'
import { BuyerStats } from '#web/features/stats/buyer-stats.tsx'
import { BuyerFirstSteps, WorkerFirstSteps } from '#web/features/stats/first-steps.tsx'
import { WorkerStats } from '#web/features/stats/worker-stats.tsx'
import { EmailPreferences } from '#web/features/users/email-preferences.tsx'
import { ProfileCard } from '#web/features/users/profile-card.tsx'
import { YourData } from '#web/features/users/your-data.tsx'
import { HomeOverview } from '#web/features/waiting/home-overview.tsx'
import { useUserData } from '#web/lib/session.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { GridSkeleton, ListSkeleton } from '#web/ui/skeleton.tsx'

const STATS = { Worker: WorkerStats, Buyer: BuyerStats, Admin: AdminStats }

/** Renders the user's profile and balance, what to do next, and the statistics. */
export default function Profile() {
  const user = useUserData()
  const site = useSite()
  const Stats = STATS[user.role]
  return (
    <Screen title={t`Profile`}>
      <div className="sections-in-order space-y-4">
        <ProfileCard user={user} />
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
            ) : site?.demo === true ? (
              <Stats />
            ) : (
              <AdminFirstSteps user={user}>
                <Stats />
              </AdminFirstSteps>
            )}
          </Suspense>
        </ErrorBoundary>
        {user.role !== 'Admin' && (
          <ErrorBoundary>
            <Suspense fallback={<ListSkeleton rows={3} />}>
              <RecentTransactions email={user.email} />
            </Suspense>
          </ErrorBoundary>
        )}
        {user.role === 'Worker' && (
          <ErrorBoundary>
            <Suspense fallback={<ListSkeleton rows={2} />}>
              <WorkProfile />
            </Suspense>
          </ErrorBoundary>
        )}
        <ErrorBoundary>
          <Suspense fallback={<ListSkeleton rows={2} />}>
            <EmailPreferences role={user.role} email={user.email} />
          </Suspense>
        </ErrorBoundary>
        <YourData email={user.email} />
      </div>
    </Screen>
  )
}
