import { t } from '@lingui/core/macro'
import { ActionIcon, NativeSelect } from '@mantine/core'
import { Link } from 'react-router'
import { Role } from '#contract/shapes.ts'
import type { PublicUser } from '#contract/users.ts'
import type { useManageUsers } from '#web/features/users/use-manage-users.tsx'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { useUserData } from '#web/lib/session.tsx'
import { IconDevices, IconTrash } from '#web/ui/icons.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Dense rows of the table; touch screens enlarge them. */
const SIZE = 'calc(36px)'

export type UserActionProps = { user: PublicUser; actions: ReturnType<typeof useManageUsers> }

/** Renders the role of a user to change, except the Admin's own. */
export function RoleSelect({ user, actions: { changeRole, pendingUserId } }: UserActionProps) {
  const { _id } = useUserData()
  if (user._id === _id)
    return <StatusBadge tone="success">{t`${{ role: ROLE_NAMES[user.role] }} (you)`}</StatusBadge>
  return (
    <NativeSelect
      className="w-24"
      size="xs"
      aria-label={t`Role of ${{ name: user.name }}`}
      data={Role.options.map((value) => ({ value, label: ROLE_NAMES[value] }))}
      value={user.role}
      disabled={pendingUserId === user._id}
      onChange={(event) => void changeRole(user, Role.parse(event.currentTarget.value))}
    />
  )
}

/** Renders the links and buttons at the end of a user's row. */
export function UserActions({ user, actions }: UserActionProps) {
  return (
    <span className="inline-flex gap-1.5">
      <ActionIcon
        size={SIZE}
        component={Link}
        to={`/dashboard/manage-users/${user._id}/sessions`}
        aria-label={t`Sessions of ${{ name: user.name }}`}
        title={t`Sessions`}
      >
        <IconDevices size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      <DeleteButton user={user} actions={actions} />
    </span>
  )
}

/** Renders the delete button, except for the Admin's own account (docs/specification/access.md). */
function DeleteButton({ user, actions: { remove, pendingUserId } }: UserActionProps) {
  const { _id } = useUserData()
  if (user._id === _id) return null
  return (
    <ActionIcon
      size={SIZE}
      c="red"
      aria-label={t`Delete ${{ name: user.name }}`}
      title={t`Delete`}
      loading={pendingUserId === user._id}
      onClick={() => void remove(user)}
    >
      <IconTrash size={18} stroke={1.8} aria-hidden />
    </ActionIcon>
  )
}
