import '#web/ui/sections-in-order.css'
import { Suspense } from 'react'
import { NewWorkerNotice } from '#web/features/auth/new-worker-notice.tsx'
import { ReservationStrip } from '#web/features/reservations/reservation-strip.tsx'
import { BuyerStats } from '#web/features/stats/buyer-stats.tsx'
import { BuyerFirstSteps, WorkerFirstSteps } from '#web/features/stats/first-steps.tsx'
import { WorkerStats } from '#web/features/stats/worker-stats.tsx'
import { ProfileCard } from '#web/features/users/profile-card.tsx'
import { ProfileScreen } from '#web/features/users/profile-screen.tsx'
import { HomeOverview, NothingWaiting } from '#web/features/waiting/home-overview.tsx'
import { useUserData } from '#web/lib/session.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { NearViewport } from '#web/ui/near-viewport.tsx'
import { GridSkeleton, ListSkeleton } from '#web/ui/skeleton.tsx'

const AdminHome = lazyComponent(() => import('#web/features/stats/admin-home.tsx'))
const HomeSettings = lazyComponent(() => import('#web/features/users/home-settings.tsx'))
/** The least height in pixels of what is below the statistics. */
const SETTINGS_HEIGHT = 300

/** Renders the user's profile and balance, what to do next, and the statistics. */
export default function Profile() {
  const user = useUserData()
  return (
    <ProfileScreen>
      <div className="sections-in-order space-y-4">
        <NewWorkerNotice key={user._id} user={user} />
        <ProfileCard user={user} />
        <HomeOverview user={user} />
        {user.role === 'Worker' && <ReservationStrip />}
        <ErrorBoundary>
          <Suspense fallback={<GridSkeleton cards={4} />}>
            {user.role === 'Worker' ? (
              <WorkerFirstSteps user={user}>
                <NothingWaiting user={user} />
                <WorkerStats />
              </WorkerFirstSteps>
            ) : user.role === 'Buyer' ? (
              <BuyerFirstSteps user={user}>
                <NothingWaiting user={user} />
                <BuyerStats />
              </BuyerFirstSteps>
            ) : (
              <AdminHome user={user} />
            )}
          </Suspense>
        </ErrorBoundary>
        <NearViewport height={SETTINGS_HEIGHT}>
          <Suspense fallback={<ListSkeleton rows={3} />}>
            <HomeSettings user={user} />
          </Suspense>
        </NearViewport>
      </div>
    </ProfileScreen>
  )
}
