import type { User } from '#contract/users.ts'
import { useSite } from '#web/features/site/site.ts'
import { NothingWaiting } from '#web/features/waiting/home-overview.tsx'
import { AdminFirstSteps } from './admin-first-steps.tsx'
import { AdminStats } from './admin-stats.tsx'

/** Renders an Admin's statistics, with the first steps of a new marketplace. */
export default function AdminHome({ user }: { user: User }) {
  const statistics = (
    <>
      <NothingWaiting user={user} />
      <AdminStats />
    </>
  )
  if (useSite()?.demo === true) return statistics
  return (
    <AdminFirstSteps user={user} below={<AdminStats />}>
      {statistics}
    </AdminFirstSteps>
  )
}
