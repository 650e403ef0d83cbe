import { plural, t } from '@lingui/core/macro'
import { HIGH_RISK, type UserSort, type UserTableRow } from '#contract/user-table.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import type { useManageUsers } from '#web/features/users/use-manage-users.tsx'
import { RoleSelect, UserActions } from '#web/features/users/user-actions.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { SelectUser } from '#web/features/users/user-selection.tsx'
import { formatCoins, formatNumber, PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { formatDateTime, formatDay, formatTimeAgo, localDay } from '#web/lib/format-time.ts'
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
      header: t`Name`,
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
    { header: t`Role`, cell: (user) => <RoleSelect user={user} actions={actions} /> },
    {
      header: t`Balance`,
      sort: 'balance',
      align: 'right',
      cell: (user) => <Balance user={user} />,
    },
    {
      header: t`Tasks`,
      sort: 'tasks',
      align: 'right',
      cell: (user) => <Quantity value={user.tasks} />,
    },
    { header: t`Work`, sort: 'work', align: 'right', cell: (user) => <Quantity value={user.work} /> },
    {
      header: t`Approved`,
      sort: 'approval',
      align: 'right',
      cell: ({ approvalPercent }) => (
        <span className="tabular-nums">
          {approvalPercent === null ? '–' : `${formatNumber(approvalPercent)}%`}
        </span>
      ),
    },
    { header: t`Flags`, cell: (user) => <Flags user={user} /> },
    { header: t`Destinations`, cell: (user) => <Destinations user={user} /> },
    {
      header: t`Last seen`,
      sort: 'seen',
      cell: ({ lastSeenAt }) => (
        <span className="whitespace-nowrap text-dim" title={lastSeenAt ? formatDateTime(lastSeenAt) : ''}>
          {lastSeenAt === null ? '–' : formatTimeAgo(lastSeenAt)}
        </span>
      ),
    },
    {
      header: t`Joined`,
      sort: 'joined',
      cell: ({ joinedAt }) => (
        <span className="whitespace-nowrap text-dim">{formatDay(localDay(joinedAt))}</span>
      ),
    },
    { header: t`User ID`, isHiddenAtFirst: true, cell: ({ _id }) => <code className="text-xs">{_id}</code> },
    {
      header: t`Actions`,
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
    user.tasks > 0 && plural(user.tasks, { one: '# task posted', other: '# tasks posted' }),
    user.work > 0 && plural(user.work, { one: '# submission decided', other: '# submissions decided' }),
    user.approvalPercent !== null && t`${{ percent: formatNumber(user.approvalPercent) }}% approved`,
    user.lastSeenAt !== null && t`seen ${{ lastSeenAt: formatTimeAgo(user.lastSeenAt) }}`,
    t`joined ${{ day: formatDay(localDay(user.joinedAt)) }}`,
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
      {debt > 0 && (
        <span className="block text-xs whitespace-nowrap text-danger">
          {t`owes ${{ debt: formatCoins(debt) }}`}
        </span>
      )}
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
      {isFrozen && <StatusBadge tone="error">{t`Frozen`}</StatusBadge>}
      {isRisky && <StatusBadge tone="error">{t`Risk ${{ score: formatNumber(riskScore) }}`}</StatusBadge>}
      {isReviewer && <StatusBadge tone="neutral">{t`Reviewer`}</StatusBadge>}
    </span>
  )
}

function Destinations({ user: { destinations } }: { user: UserTableRow }) {
  if (destinations.length === 0) return null
  return (
    <ul className="text-xs text-dim @4xl:max-w-34">
      {destinations.map(({ system, accountNumber }) => (
        <li key={`${system} ${accountNumber}`} className="data-table-line" title={accountNumber}>
          {PAYMENT_SYSTEM_NAMES[system]} {accountNumber}
        </li>
      ))}
    </ul>
  )
}
