import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Role } from '#contract/shapes.ts'
import {
  USER_SORTS,
  UserFilter,
  type UserSort,
  userTable,
  userTableFile,
  userTotals,
} from '#contract/user-table.ts'
import { useManageUsers } from '#web/features/users/use-manage-users.tsx'
import { UserCard, userColumns } from '#web/features/users/user-columns.tsx'
import { UserSelection } from '#web/features/users/user-selection.tsx'
import { download, type Reply } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { infiniteQueryOf, keepPreviousRows, queryOf } from '#web/lib/queries.ts'
import { noParams, useSearchParams, withParam } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useSorting } from '#web/lib/sorting.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { ColumnChoice, useColumns } from '#web/ui/column-choice.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { useRowSelection } from '#web/ui/use-row-selection.ts'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const ROLE_OPTIONS = [
  { value: '', label: t`All` },
  { value: 'Worker', label: t`Workers` },
  { value: 'Buyer', label: t`Buyers` },
  { value: 'Admin', label: t`Admins` },
]

const FLAG_OPTIONS = [
  { value: '', label: t`Any flag` },
  { value: 'frozen', label: t`Frozen` },
  { value: 'risk', label: t`Risky withdrawal request` },
  { value: 'debt', label: t`In debt` },
  { value: 'reviewer', label: t`Reviewers` },
]

const SORT_NAMES: Record<UserSort, string> = {
  joined: t`Joined`,
  name: t`Name`,
  balance: t`Balance`,
  seen: t`Last seen`,
  tasks: t`Tasks`,
  work: t`Work`,
  approval: t`Approved`,
}
const SORT_OPTIONS = USER_SORTS.map((value) => ({
  value,
  label: t`Sort by: ${{ column: SORT_NAMES[value] }}`,
}))

/** Renders all registered users as a table, for an Admin to search, change roles, freeze and delete, also many at once. */
export default function ManageUsers() {
  const [search, setSearch] = useSearchParams()
  const [q, setQuery] = useSearchQuery()
  const role = Role.safeParse(search.get('role')).data
  const flag = UserFilter.shape.flag.safeParse(search.get('flag') ?? undefined).data
  const filter = { q: q || undefined, role, flag }
  const { sort, order, onSort, set } = useSorting<UserSort>(USER_SORTS, ['name'])
  const query = useInfiniteQuery({
    ...infiniteQueryOf(userTable, { query: { ...filter, sort, order } }, 30),
    placeholderData: keepPreviousRows,
  })
  const totals = useQuery({
    ...queryOf(userTotals, { query: filter }),
    placeholderData: keepPreviousData,
  }).data
  const users = query.data?.pages.flatMap((page) => page.reply)
  const actions = useManageUsers()
  const { _id: viewerId } = useUserData()
  const selection = useRowSelection(users?.filter(({ _id }) => _id !== viewerId) ?? [])
  const columns = userColumns(actions, selection)
  const { shown, isShown, toggle } = useColumns('users', columns)

  return (
    <Screen
      title={t`Manage Users`}
      subtitle={totals && totalsText(totals)}
      action={
        <div className="flex flex-wrap gap-3">
          <LinkButton variant="default" to="/dashboard/user-search">
            {t`Search by card, network or device`}
          </LinkButton>
          <DownloadButton
            label={t`Download CSV`}
            fileName="users.csv"
            isDated
            load={() => download(userTableFile, { query: filter })}
            failure={t`Could not download the users`}
          />
        </div>
      }
    >
      <FilterBar
        search={<SearchInput label={t`Search by name, email or number`} value={q} onChange={setQuery} />}
        count={(role === undefined ? 0 : 1) + (flag === undefined ? 0 : 1)}
      >
        <FilterLinks label={t`Filter by role`} name="role" options={ROLE_OPTIONS} />
        <NativeSelect
          label={t`Filter by flag`}
          data={FLAG_OPTIONS}
          value={flag ?? ''}
          onChange={(value) => setSearch((current) => withParam(current, 'flag', value), { replace: true })}
        />
        <NativeSelect
          label={t`Sort by`}
          className="lg:hidden"
          data={SORT_OPTIONS}
          value={sort}
          onChange={(value) => {
            const next = USER_SORTS.find((one) => one === value)
            if (next !== undefined) set(next, next === 'name' ? 'asc' : 'desc')
          }}
        />
        <div data-fixed="">
          <ColumnChoice columns={columns} isShown={isShown} toggle={toggle} />
        </div>
      </FilterBar>
      {users === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={8} />} />
      ) : users.length === 0 ? (
        <EmptyState
          title={t`No users found.`}
          action={<Button variant="default" onClick={() => setSearch(noParams)}>{t`Show all users`}</Button>}
        >
          {t`No users match your search.`}
        </EmptyState>
      ) : (
        <>
          <UserSelection selection={selection} />
          <DataTable
            label={t`Registered users`}
            rows={users}
            rowKey={(user) => user._id}
            columns={shown}
            sorting={{ sort, order, onSort }}
            renderCard={(user) => <UserCard user={user} actions={actions} selection={selection} />}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

function totalsText({ users, coins, debt }: Reply<typeof userTotals>): string {
  const parts = [plural(users, { one: '# user', other: '# users' }), formatCoins(coins)]
  if (debt > 0) parts.push(t`${{ debt: formatCoins(debt) }} of debt`)
  return parts.join(' · ')
}
