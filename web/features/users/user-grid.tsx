import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Role } from '#contract/endpoint.ts'
import { allUsers, type PublicProfile } from '#contract/users.ts'
import { BuyerRecordLine } from '#web/features/records/buyer-record.tsx'
import { summarizeWorker } from '#web/features/records/worker-record.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { infiniteQueryOf, keepPreviousRows } from '#web/lib/queries.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { noParams, useSearchParams, withParam } from '#web/lib/search-params.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PlainButton } from '#web/ui/button.tsx'
import { ChunkedGrid } from '#web/ui/chunked-grid.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { GridSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const ROLES = ['Worker', 'Buyer', 'Admin'] as const satisfies readonly Role[]
const PLURALS: Record<Role, string> = { Worker: t`Workers`, Buyer: t`Buyers`, Admin: t`Admins` }
const ROLE_OPTIONS = [
  { value: '', label: t`All roles` },
  ...ROLES.map((role) => ({ value: role, label: PLURALS[role] })),
]

const SORT_OPTIONS = [
  { value: '', label: t`Most approved work` },
  { value: 'newest', label: t`Newest first` },
]
/** Others have no work that was approved, and are newest first. */
const canSort = (role: string | null | undefined) => !role || role === 'Worker'

/** Returns the query of the users that match the URL's search text and role, in its order. */
export function usersQuery(search: { get: (name: string) => string | null }) {
  const role = ROLES.find((option) => option === search.get('role'))
  const sort = search.get('sort') !== 'newest' && canSort(role) ? ('approved' as const) : undefined
  return infiniteQueryOf(allUsers, { query: { q: search.get('q') || undefined, role, sort } }, 24)
}

/** Renders the public list of users, with search, role filter and order. */
export function UserGrid() {
  const [search, setSearch] = useSearchParams()
  const change = (name: string, value: string) =>
    setSearch((current) => withParam(current, name, value), { replace: true, preventScrollReset: true })
  const query = useInfiniteQuery({ ...usersQuery(search), placeholderData: keepPreviousRows })
  const users = query.data?.pages.flatMap((page) => page.reply) ?? []
  const role = search.get('role') ?? ''
  return (
    <>
      <div className="mb-6">
        <FilterBar
          count={role === '' ? 0 : 1}
          search={
            <SearchInput
              label={t`Search by name or email`}
              value={search.get('q') ?? ''}
              onChange={(q) => change('q', q)}
            />
          }
        >
          <NativeSelect
            label={t`Role`}
            data={ROLE_OPTIONS}
            value={role}
            onChange={(next) => change('role', next)}
          />
          {canSort(role) && (
            <NativeSelect
              label={t`Sort by`}
              data={SORT_OPTIONS}
              value={search.get('sort') === 'newest' ? 'newest' : ''}
              onChange={(sort) => change('sort', sort)}
            />
          )}
        </FilterBar>
      </div>
      {query.isPending ? (
        <GridSkeleton cards={12} />
      ) : query.isError && users.length === 0 ? (
        <ErrorState message={errorMessage(query.error)} retry={() => void query.refetch()} />
      ) : users.length === 0 ? (
        <EmptyState
          title={t`No people found`}
          action={
            search.size > 0 && (
              <PlainButton variant="default" onClick={() => setSearch(noParams, { replace: true })}>
                {t`Clear filters`}
              </PlainButton>
            )
          }
        >
          {search.size > 0 ? t`No people match your search.` : t`No one has registered yet.`}
        </EmptyState>
      ) : (
        <ChunkedGrid
          label={t`People`}
          rows={users}
          rowKey={userKey}
          renderCard={renderUser}
          columns="grid-cols-1 [contain-intrinsic-size:auto_170rem] sm:grid-cols-2 sm:[contain-intrinsic-size:auto_85rem] lg:grid-cols-3 lg:[contain-intrinsic-size:auto_56rem]"
        />
      )}
      <LoadMore query={query} />
    </>
  )
}

function UserCard({ user }: { user: PublicProfile }) {
  return (
    <div className="card flex h-full flex-wrap items-center gap-3 p-4">
      <Avatar name={user.name} image={user.image} size={48} />
      <div className="min-w-0 grow basis-24">
        <p className="line-clamp-2 leading-snug font-number">
          <Link to={`/users/${user._id}`} className="hover:text-brand">
            {user.name}
          </Link>
        </p>
        <p className="truncate text-xs text-dim" title={user.email}>
          {user.email}
        </p>
        <p className="text-sm">
          <Record user={user} />
        </p>
      </div>
      <StatusBadge tone={user.role === 'Worker' ? 'success' : 'neutral'}>{ROLE_NAMES[user.role]}</StatusBadge>
    </div>
  )
}

/** Renders the reason to work with a user: their record as a worker or as a buyer. */
function Record({ user: { role, buyerRecord, workerRecord } }: { user: PublicProfile }) {
  if (role === 'Worker') return <>{summarizeWorker(workerRecord)}</>
  return role === 'Buyer' ? <BuyerRecordLine record={buyerRecord} /> : null
}

const userKey = (user: PublicProfile) => user._id
const renderUser = (user: PublicProfile) => <UserCard user={user} />
