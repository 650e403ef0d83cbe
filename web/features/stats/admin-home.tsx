import type { User } from '#contract/users.ts'
import { useSite } from '#web/features/site/site.ts'
import { AdminFirstSteps } from './admin-first-steps.tsx'
import { AdminStats } from './admin-stats.tsx'

/** Renders an Admin's statistics, with the first steps of a new marketplace. */
export default function AdminHome({ user }: { user: User }) {
  if (useSite()?.demo === true) return <AdminStats />
  return (
    <AdminFirstSteps user={user}>
      <AdminStats />
    </AdminFirstSteps>
  )
}
