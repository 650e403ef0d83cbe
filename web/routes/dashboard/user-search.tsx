import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { searchUsersByTrace } from '#contract/user-overview.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { errorMessage, type Reply } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const SHORTEST = 3
const KIND_NAMES: Record<Reply<typeof searchUsersByTrace>[number]['kind'], string> = {
  'account number': t`account number`,
  holder: t`holder`,
  card: t`card`,
  network: t`network`,
  device: t`device`,
}

/** Renders a search for users by what they used: account number, holder, card, network, device. */
export default function UserSearch() {
  const [q, setQuery] = useSearchQuery()
  return (
    <Screen
      title={t`Find Users`}
      subtitle={t`By account number, account holder, card fingerprint, network or device`}
    >
      <div className="mb-6 max-w-lg">
        <SearchInput label={t`Number, holder, card, network or device`} value={q} onChange={setQuery} />
      </div>
      {q.length < SHORTEST ? (
        <EmptyState title={t`Who used it?`}>
          {t`Enter at least ${{ count: formatNumber(SHORTEST) }} characters, exactly as they were used. Mobile numbers can be in any format.`}
        </EmptyState>
      ) : (
        <Results q={q} />
      )}
    </Screen>
  )
}

function Results({ q }: { q: string }) {
  const { data, error, refetch } = useQuery(queryOf(searchUsersByTrace, { query: { q } }))
  if (error) return <ErrorState message={errorMessage(error)} retry={() => void refetch()} />
  if (data === undefined) return <ListSkeleton rows={4} />
  if (data.length === 0) return <EmptyState title={t`No users found`}>{t`Nobody used “${q}”.`}</EmptyState>
  return (
    <ResponsiveList
      label={t`Users found`}
      rows={data}
      rowKey={(row) => `${row._id} ${row.kind} ${row.value}`}
      columns={[
        { header: t`Name`, width: 'w-1/3', cell: (row) => <UserLink id={row._id} name={row.name} /> },
        { header: t`Email`, cell: (row) => <span className="text-dim">{row.email}</span> },
        { header: t`Role`, cell: (row) => ROLE_NAMES[row.role] },
        { header: t`Found by`, cell: (row) => `${KIND_NAMES[row.kind]}: ${row.value}` },
      ]}
      renderCard={(row) => (
        <div className="text-sm">
          <UserLink id={row._id} name={row.name} /> <span className="text-dim">{ROLE_NAMES[row.role]}</span>
          <span className="block truncate text-dim">{row.email}</span>
          <span className="block wrap-anywhere">
            {KIND_NAMES[row.kind]}: {row.value}
          </span>
        </div>
      )}
    />
  )
}
