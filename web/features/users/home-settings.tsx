import { Suspense } from 'react'
import type { User } from '#contract/users.ts'
import { WorkProfile } from '#web/features/audience/work-profile.tsx'
import { RecentTransactions } from '#web/features/statement/recent-transactions.tsx'
import { ErrorBoundary } from '#web/ui/error-boundary.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { EmailPreferences } from './email-preferences.tsx'
import { YourData } from './your-data.tsx'

/** Renders what is at the end of a user's home: the newest transactions, and settings. */
export default function HomeSettings({ user }: { user: User }) {
  return (
    <>
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
          <EmailPreferences user={user} />
        </Suspense>
      </ErrorBoundary>
      <YourData email={user.email} />
    </>
  )
}
