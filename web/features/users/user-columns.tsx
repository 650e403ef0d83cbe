import { HIGH_RISK, type UserSort, type UserTableRow } from '#contract/user-table.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import type { useManageUsers } from '#web/features/users/use-manage-users.tsx'
import { RoleSelect, UserActions } from '#web/features/users/user-actions.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { SelectUser } from '#web/features/users/user-selection.tsx'
import { formatCoins, formatNumber, PAYMENT_SYSTEM_NAMES, pluralize } from '#web/lib/format.ts'
import { formatDateTime, formatDay, formatTimeAgo } from '#web/lib/format-time.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import type { DataColumn } from '#web/ui/data-table.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { RowSelection } from '#web/ui/use-row-selection.ts'

type Actions = ReturnType<typeof useManageUsers>
type Selection = RowSelection<UserTableRow>
type UserColumn = DataColumn<UserTableRow, UserSort> & { isRequired?: boolean; isHiddenAtFirst?: boolean }

/** Returns the columns of the table of users. */
export function userColumns(actions: Actions, selection: Selection): UserColumn[] {
  return [
    {
      header: 'Name',
      sort: 'name',
      width: 'w-2/5',
      isRequired: true,
      cell: (user) => (
        <span className="flex items-center gap-3">
          <SelectUser user={user} selection={selection} />
          <UserLines user={user} />
        </span>
      ),
    },
    { header: 'Role', cell: (user) => <RoleSelect user={user} actions={actions} /> },
    {
      header: 'Balance',
      sort: 'balance',
      align: 'right',
      cell: (user) => <Balance user={user} />,
    },
    {
      header: 'Tasks',
      sort: 'tasks',
      align: 'right',
      cell: (user) => <Quantity value={user.tasks} />,
    },
    { header: 'Work', sort: 'work', align: 'right', cell: (user) => <Quantity value={user.work} /> },
    {
      header: 'Approved',
      sort: 'approval',
      align: 'right',
      cell: ({ approvalPercent }) => (
        <span className="tabular-nums">{approvalPercent === null ? '–' : `${approvalPercent}%`}</span>
      ),
    },
    { header: 'Flags', cell: (user) => <Flags user={user} /> },
    { header: 'Destinations', cell: (user) => <Destinations user={user} /> },
    {
      header: 'Last seen',
      sort: 'seen',
      cell: ({ lastSeenAt }) => (
        <span className="whitespace-nowrap text-dim" title={lastSeenAt ? formatDateTime(lastSeenAt) : ''}>
          {lastSeenAt === null ? '–' : formatTimeAgo(lastSeenAt)}
        </span>
      ),
    },
    {
      header: 'Joined',
      sort: 'joined',
      cell: ({ joinedAt }) => (
        <span className="whitespace-nowrap text-dim">{formatDay(joinedAt.slice(0, 10))}</span>
      ),
    },
    { header: 'User id', isHiddenAtFirst: true, cell: ({ _id }) => <code className="text-xs">{_id}</code> },
    {
      header: 'Actions',
      align: 'right',
      isRequired: true,
      cell: (user) => <UserActions user={user} actions={actions} />,
    },
  ]
}

type CardProps = { user: UserTableRow; actions: Actions; selection: Selection }

/** Renders a user on a narrow screen. */
export function UserCard({ user, actions, selection }: CardProps) {
  const activity = [
    user.tasks > 0 && `${pluralize(user.tasks, 'task')} posted`,
    user.work > 0 && `${pluralize(user.work, 'submission')} decided`,
    user.approvalPercent !== null && `${user.approvalPercent}% approved`,
    user.lastSeenAt !== null && `seen ${formatTimeAgo(user.lastSeenAt)}`,
    `joined ${formatDay(user.joinedAt.slice(0, 10))}`,
  ].filter((part) => part !== false)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <SelectUser user={user} selection={selection} />
        <UserIdentity user={user} />
        <Balance user={user} />
      </div>
      <p className="text-sm text-dim">{activity.join(' · ')}</p>
      <Destinations user={user} />
      <Flags user={user} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <RoleSelect user={user} actions={actions} />
        <UserActions user={user} actions={actions} />
      </div>
    </div>
  )
}

/** Renders a user on the few lines of a dense table. */
function UserLines({ user }: { user: UserTableRow }) {
  return (
    <span className="min-w-0">
      <UserLink id={user._id} name={user.name} className="data-table-name" />
      <span className="data-table-line text-xs text-dim" title={user.email}>
        {user.email}
      </span>
    </span>
  )
}

function UserIdentity({ user }: { user: UserTableRow }) {
  return (
    <span className="flex min-w-0 flex-1 basis-48 items-center gap-3">
      <Avatar name={user.name} image={user.image} size={32} />
      <span className="min-w-0 leading-snug">
        <UserLink id={user._id} name={user.name} className="line-clamp-2" />
        <span className="block text-xs break-all text-dim">{user.email}</span>
      </span>
    </span>
  )
}

function Balance({ user: { coins, debt } }: { user: UserTableRow }) {
  return (
    <span className="text-right">
      <CoinAmount value={coins} />
      {debt > 0 && <span className="block text-xs text-danger">owes {formatCoins(debt)}</span>}
    </span>
  )
}

function Quantity({ value }: { value: number }) {
  return <span className="tabular-nums">{value === 0 ? '–' : formatNumber(value)}</span>
}

function Flags({ user: { isFrozen, isReviewer, riskScore } }: { user: UserTableRow }) {
  const isRisky = riskScore !== null && riskScore >= HIGH_RISK
  if (!isFrozen && !isReviewer && !isRisky) return null
  return (
    <span className="flex flex-wrap gap-1">
      {isFrozen && <StatusBadge tone="error">Frozen</StatusBadge>}
      {isRisky && <StatusBadge tone="error">Risk {riskScore}</StatusBadge>}
      {isReviewer && <StatusBadge tone="neutral">Reviewer</StatusBadge>}
    </span>
  )
}

function Destinations({ user: { destinations } }: { user: UserTableRow }) {
  if (destinations.length === 0) return null
  return (
    <ul className="text-xs text-dim @4xl:max-w-34">
      {destinations.map(({ system, accountNumber }) => (
        <li key={`${system} ${accountNumber}`} className="data-table-line">
          {PAYMENT_SYSTEM_NAMES[system]} {accountNumber}
        </li>
      ))}
    </ul>
  )
}
