import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '#contract/endpoint.ts'
import { deleteUser, deletionPreview, updateRole } from '#contract/manage-users.ts'
import { adminStats } from '#contract/stats.ts'
import { userTable, userTotals } from '#contract/user-table.ts'
import { allUsers, type PublicUser } from '#contract/users.ts'
import { waiting } from '#contract/waiting.ts'
import { deletionEffects, ROLE_CHANGE_EFFECTS } from '#web/features/users/effects.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { confirm, showError, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** Returns an Admin's actions on users. Each asks for confirmation and names its consequences. */
export function useManageUsers() {
  const queryClient = useQueryClient()
  const [pendingUserId, setPendingUserId] = useState<string | null>(null)
  const refresh = () =>
    invalidateEndpoints(queryClient, [allUsers, userTable, userTotals, adminStats, waiting])

  async function changeRole(user: PublicUser, value: Role): Promise<void> {
    const confirmed = await confirm({
      title: roleQuestion(user.name, value),
      text: ROLE_CHANGE_EFFECTS[value],
      confirmLabel: t`Change role`,
    })
    if (!confirmed) return
    setPendingUserId(user._id)
    try {
      const { modifiedCount } = await call(updateRole, { params: { id: user._id }, body: { value } })
      await refresh()
      if (modifiedCount > 0)
        void toast({ title: t`Role Updated`, message: `${user.name}: ${ROLE_NAMES[value]}` })
      else
        void toast({
          title: t`Failed to update role`,
          message: t`The user already has this role.`,
          tone: 'error',
        })
    } catch (error) {
      if (isUnproved(error)) return
      void toast({ title: t`Failed to update role`, message: errorMessage(error), tone: 'error' })
    } finally {
      setPendingUserId(null)
    }
  }

  async function remove(user: PublicUser): Promise<void> {
    setPendingUserId(user._id)
    try {
      const preview = await call(deletionPreview, { params: { id: user._id } })
      const confirmed = await confirm({
        title: t`Are you sure?`,
        text: (
          <>
            <p>{t`You won't be able to revert this!`}</p>
            <p className="mt-3 text-ink">{t`Deleting ${{ name: user.name }} ends their sessions. In addition:`}</p>
            <ul className="mt-2 list-disc rounded-control bg-canvas py-3 pr-4 pl-8 text-sm text-ink">
              {deletionEffects(preview).map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          </>
        ),
        confirmLabel: t`Yes, delete it!`,
        danger: true,
      })
      if (!confirmed) return
      const { deletedCount } = await call(deleteUser, { params: { id: user._id } })
      await refresh()
      if (deletedCount > 0) await showMessage({ title: t`Deleted!`, text: t`User deleted successfully.` })
      else await showUserNotFound()
    } catch (error) {
      if (isUnproved(error)) return
      if (error instanceof ApiError && error.status === 404) {
        await refresh()
        await showUserNotFound()
      } else {
        await showError(t`Error`, t`Something went wrong while deleting.`, errorMessage(error))
      }
    } finally {
      setPendingUserId(null)
    }
  }

  return { changeRole, remove, pendingUserId }
}

/** Whether the Admin did not prove their identity: they cancelled, which is no failure. */
const isUnproved = (error: unknown) => error instanceof ApiError && error.code === 'proof_required'

function showUserNotFound() {
  return showMessage({ title: t`Error`, text: t`User not found or already deleted.`, tone: 'error' })
}

function roleQuestion(name: string, role: Role): string {
  return {
    Worker: t`Make ${name} a Worker?`,
    Buyer: t`Make ${name} a Buyer?`,
    Admin: t`Make ${name} an Admin?`,
  }[role]
}
