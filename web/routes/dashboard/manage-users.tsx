import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { Role } from '#contract/shapes.ts'
import { allUsers, type PublicUser } from '#contract/users.ts'
import { useManageUsers } from '#web/features/users/use-manage-users.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { IconDevices, IconTrash } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const ROLE_OPTIONS = [
  { value: '', label: 'All' },
  { value: 'Worker', label: 'Workers' },
  { value: 'Buyer', label: 'Buyers' },
  { value: 'Admin', label: 'Admins' },
]

/** Renders all registered users, for an Admin to search, change roles and delete. */
export default function ManageUsers() {
  const [search, setSearch] = useSearchParams()
  const role = Role.safeParse(search.get('role')).data
  const [q, setQuery] = useSearchQuery()
  const query = useInfiniteQuery({
    ...infiniteQueryOf(allUsers, { query: { q: q || undefined, role } }),
    placeholderData: keepPreviousData,
  })
  const users = query.data?.pages.flatMap((page) => page.reply)
  const actions = useManageUsers()

  return (
    <Screen
      title="Manage Users"
      subtitle="Newest first"
      action={
        <LinkButton variant="default" to="/dashboard/user-search">
          Search by number, card or network
        </LinkButton>
      }
    >
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <FilterLinks label="Filter by role" name="role" options={ROLE_OPTIONS} />
        <div className="w-full sm:w-80">
          <SearchInput label="Search by name or email" value={q} onChange={setQuery} />
        </div>
      </div>
      {users === undefined ? (
        query.error ? (
          <ErrorState message={errorMessage(query.error)} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={8} />
        )
      ) : users.length === 0 ? (
        <EmptyState
          title="No users found."
          action={
            <Button variant="default" onClick={() => setSearch({})}>
              Show all users
            </Button>
          }
        >
          No users match your search.
        </EmptyState>
      ) : (
        <>
          <ResponsiveList
            label="Registered users, newest first"
            rows={users}
            rowKey={(user) => user._id}
            columns={[
              {
                header: 'Name',
                width: 'w-2/5 min-w-48',
                cell: (user) => (
                  <span className="flex items-center gap-3">
                    <Avatar name={user.name} image={user.image} size={40} />
                    <UserLink id={user._id} name={user.name} className="line-clamp-2 font-number" />
                  </span>
                ),
              },
              {
                header: 'Email',
                width: 'min-w-40',
                cell: (user) => <span className="text-dim">{user.email}</span>,
              },
              { header: 'Role', cell: (user) => <RoleSelect user={user} {...actions} /> },
              {
                header: 'Actions',
                align: 'right',
                cell: (user) => (
                  <span className="inline-flex gap-2">
                    <SessionsLink user={user} />
                    <DeleteButton user={user} {...actions} />
                  </span>
                ),
              },
            ]}
            renderCard={(user) => (
              <div className="flex flex-wrap items-center gap-3">
                <Avatar name={user.name} image={user.image} size={40} />
                <div className="min-w-0 flex-1 basis-48 leading-snug">
                  <UserLink id={user._id} name={user.name} className="line-clamp-2 font-number" />
                  <p className="truncate text-sm text-dim">{user.email}</p>
                </div>
                <div className="ml-auto flex flex-wrap justify-end gap-2">
                  <RoleSelect user={user} {...actions} />
                  <SessionsLink user={user} />
                  <DeleteButton user={user} {...actions} />
                </div>
              </div>
            )}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

type ActionProps = { user: PublicUser } & ReturnType<typeof useManageUsers>

function RoleSelect({ user, changeRole, pendingUserId }: ActionProps) {
  const { _id } = useUserData()
  if (user._id === _id) return <StatusBadge tone="success">{user.role} (you)</StatusBadge>
  return (
    <NativeSelect
      className="w-32"
      aria-label={`Role of ${user.name}`}
      data={Role.options}
      value={user.role}
      disabled={pendingUserId === user._id}
      onChange={(event) => void changeRole(user, Role.parse(event.currentTarget.value))}
    />
  )
}

function SessionsLink({ user }: { user: PublicUser }) {
  return (
    <ActionIcon
      component={Link}
      to={`/dashboard/manage-users/${user._id}/sessions`}
      aria-label={`Sessions of ${user.name}`}
      title="Sessions"
    >
      <IconDevices size={18} stroke={1.8} aria-hidden />
    </ActionIcon>
  )
}

/** Renders the delete button, except for the Admin's own account (docs/specification/access.md). */
function DeleteButton({ user, remove, pendingUserId }: ActionProps) {
  const { _id } = useUserData()
  if (user._id === _id) return null
  return (
    <ActionIcon
      c="red"
      aria-label={`Delete ${user.name}`}
      title="Delete"
      loading={pendingUserId === user._id}
      onClick={() => void remove(user)}
    >
      <IconTrash size={18} stroke={1.8} aria-hidden />
    </ActionIcon>
  )
}
