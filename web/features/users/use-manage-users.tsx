import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PartOf, Role } from '#contract/endpoint.ts'
import { adminStats } from '#contract/stats.ts'
import { allUsers, deleteUser, deletionPreview, type PublicUser, updateRole } from '#contract/users.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, pluralize } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** What an Admin does to people, each after a confirmation that says what will happen. */
export function useManageUsers() {
  const queryClient = useQueryClient()
  const [pendingUserId, setPendingUserId] = useState<string | null>(null)
  const refresh = () =>
    Promise.all(
      [allUsers, adminStats].map((endpoint) =>
        queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
      ),
    )

  async function changeRole(user: PublicUser, value: Role): Promise<void> {
    const confirmed = await confirm({
      title: `Make ${user.name} ${value === 'Admin' ? 'an Admin' : `a ${value}`}?`,
      text: ROLE_CHANGE_EFFECTS[value],
      confirmLabel: 'Change role',
    })
    if (!confirmed) return
    setPendingUserId(user._id)
    try {
      const { modifiedCount } = await call(updateRole, { params: { id: user._id }, body: { value } })
      await refresh()
      if (modifiedCount > 0) void toast({ title: 'Role Updated', message: `${user.name}: ${value}` })
      else void toast({ title: 'Failed to update role', message: 'They have it already.', tone: 'error' })
    } catch (error) {
      void toast({ title: 'Failed to update role', message: errorMessage(error), tone: 'error' })
    } finally {
      setPendingUserId(null)
    }
  }

  async function remove(user: PublicUser): Promise<void> {
    setPendingUserId(user._id)
    try {
      const preview = await call(deletionPreview, { params: { id: user._id } })
      const confirmed = await confirm({
        title: 'Are you sure?',
        text: (
          <>
            <p>You won't be able to revert this!</p>
            <p className="mt-3 text-ink">Deleting {user.name} ends their sessions, and:</p>
            <ul className="mt-2 list-disc rounded-control bg-canvas py-3 pr-4 pl-8 text-sm text-ink">
              {deletionEffects(preview).map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          </>
        ),
        confirmLabel: 'Yes, delete it!',
        danger: true,
      })
      if (!confirmed) return
      const { deletedCount } = await call(deleteUser, { params: { id: user._id } })
      await refresh()
      if (deletedCount > 0) await showMessage({ title: 'Deleted!', text: 'User deleted successfully.' })
      else await showUserNotFound()
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        await refresh()
        await showUserNotFound()
      } else {
        await showMessage({
          title: 'Error',
          text: (
            <>
              <p>Something went wrong while deleting.</p>
              <p className="mt-2 text-sm">{errorMessage(error)}</p>
            </>
          ),
          tone: 'error',
        })
      }
    } finally {
      setPendingUserId(null)
    }
  }

  return { changeRole, remove, pendingUserId }
}

const ROLE_CHANGE_EFFECTS: Record<Role, string> = {
  Admin: 'They will see and decide everything that you can, except what concerns themselves.',
  Buyer: 'They will post and review tasks. Their coins stay theirs.',
  Worker: 'They will do tasks and withdraw coins. Their coins stay theirs.',
}

function showUserNotFound() {
  return showMessage({ title: 'Error', text: 'User not found or already deleted.', tone: 'error' })
}

/** The consequences in numbers (docs/specification/users.md); what does not happen is not listed. */
function deletionEffects(preview: PartOf<typeof deletionPreview, 'reply'>): string[] {
  const { tasksClosed, submissionsPaid, coinsPaid, slotsReleased, withdrawalsCancelled, coinsSwept } = preview
  const lines = [
    tasksClosed > 0 && `${pluralize(tasksClosed, 'task')} ${tasksClosed === 1 ? 'closes' : 'close'}`,
    submissionsPaid > 0 &&
      `${pluralize(submissionsPaid, 'pending submission')} on them ${submissionsPaid === 1 ? 'is' : 'are'} paid: ${formatCoins(coinsPaid)} to workers`,
    slotsReleased > 0 &&
      `${pluralize(slotsReleased, 'place')} held by their own pending work ${slotsReleased === 1 ? 'is' : 'are'} free again`,
    withdrawalsCancelled > 0 &&
      `${pluralize(withdrawalsCancelled, 'pending withdrawal')} ${withdrawalsCancelled === 1 ? 'is' : 'are'} cancelled`,
    coinsSwept > 0
      ? `${formatCoins(coinsSwept)} that remain go to the house`
      : 'no coins remain that would go to the house',
  ]
  return lines.filter((line) => line !== false)
}
