import { t } from '@lingui/core/macro'
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { userOverview } from '#contract/user-overview.ts'
import { AdminActions } from '#web/features/user-overview/admin-actions.tsx'
import { Appeals } from '#web/features/user-overview/appeals.tsx'
import { Blocks } from '#web/features/user-overview/blocks.tsx'
import { Cards } from '#web/features/user-overview/cards.tsx'
import { Counterparties } from '#web/features/user-overview/counterparties.tsx'
import { Decisions } from '#web/features/user-overview/decisions.tsx'
import { Destinations } from '#web/features/user-overview/destinations.tsx'
import { Devices } from '#web/features/user-overview/devices.tsx'
import { Freezes, freezesOf } from '#web/features/user-overview/freezes.tsx'
import { LinkedUsers } from '#web/features/user-overview/linked-users.tsx'
import { Summary } from '#web/features/user-overview/summary.tsx'
import { Transactions } from '#web/features/user-overview/transactions.tsx'
import { Withdrawals } from '#web/features/user-overview/withdrawals.tsx'
import { queryOf } from '#web/lib/queries.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders everything about one user, for Admins. */
export default function UserOverviewScreen() {
  const { id = '' } = useParams()
  usePrefetchQuery(freezesOf(id))
  const overview = useSuspenseQuery(queryOf(userOverview, { params: { id } })).data
  const { user } = overview
  return (
    <Screen
      title={user.name}
      subtitle={user.email}
      action={
        <LinkButton variant="default" to={`/dashboard/manage-users/${id}/sessions`}>
          {t`Open sessions`}
        </LinkButton>
      }
    >
      <div className="grid grid-cols-1 items-start gap-6 @4xl:grid-cols-2">
        <Summary overview={overview} />
        <div className="grid grid-cols-1 gap-6">
          <LinkedUsers name={user.name} links={overview.links} />
          <Destinations destinations={overview.destinations} />
          <Devices sessions={overview.sessions} />
          <Cards cards={overview.cards} />
          <Withdrawals withdrawals={overview.withdrawals} />
        </div>
      </div>
      <div className="mt-6 grid grid-cols-1 items-start gap-6 empty:hidden @4xl:grid-cols-2">
        <Decisions decisions={overview.decisions} />
        <Appeals appeals={overview.appeals} />
        <Freezes user={id} />
        <Blocks blocks={overview.blocks} />
      </div>
      <Counterparties overview={overview} />
      <Transactions email={user.email} />
      <AdminActions actions={overview.actions} />
    </Screen>
  )
}
