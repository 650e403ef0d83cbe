import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { appealStatistics } from '#contract/appeals.ts'
import type { PartOf, Role } from '#contract/endpoint.ts'
import { freezeUser, listFreezes } from '#contract/freezes.ts'
import {
  deleteUser,
  deletionPreview,
  listReviewers,
  setReviewer,
  updateRole,
} from '#contract/manage-users.ts'
import { adminStats } from '#contract/stats.ts'
import { type UserTableRow, userTable, userTotals } from '#contract/user-table.ts'
import { allUsers } from '#contract/users.ts'
import { waiting } from '#contract/waiting.ts'
import { deletionEffects, ROLE_CHANGE_EFFECTS } from '#web/features/users/effects.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { confirm, prompt, showDialog, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'
import type { RowSelection } from '#web/ui/use-row-selection.ts'

type Preview = PartOf<typeof deletionPreview, 'reply'>
/** Why a user was not changed, or null. */
type Result = { user: UserTableRow; problem: string | null }
type Change = {
  /** Returns what was done: "2 of 3 users frozen". */
  done: (changed: string, count: string) => string
  /** Why the server made no change. */
  unchanged: string
  /** Makes the change through the endpoint of one user. Returns how many rows changed. */
  send: (user: UserTableRow) => Promise<number>
}

const CHANGED = [
  allUsers,
  userTable,
  userTotals,
  adminStats,
  listFreezes,
  listReviewers,
  appealStatistics,
  waiting,
]

/**
 * Returns an Admin's actions on the selected users. Each user is changed by a request of their own, under the rules for
 * one user. Those who could not be changed are listed with the reason and stay selected.
 */
export function useBulkActions({ selected, selectOnly }: RowSelection<UserTableRow>) {
  const queryClient = useQueryClient()
  const [finished, setFinished] = useState<number | null>(null)
  const reasonIsFor = useRef<string[]>([])
  const count = plural(selected.length, { one: '# user', other: '# users' })

  /** Returns whether all were changed. */
  async function changeAll({ done, unchanged, send }: Change): Promise<boolean> {
    const results: Result[] = []
    setFinished(0)
    for (const user of selected) {
      const result = await changeOne(user, unchanged, send)
      if (result === 'cancelled') break
      results.push(result)
      setFinished(results.length)
    }
    const changed = results.filter(({ problem }) => problem === null)
    const problems = results.filter(({ problem }) => problem !== null)
    selectOnly(selected.filter((user) => !changed.some((result) => result.user === user)))
    setFinished(null)
    await invalidateEndpoints(queryClient, CHANGED)
    const title = done(formatNumber(changed.length), count)
    if (problems.length > 0) void showProblems(title, problems)
    else if (changed.length > 0) void toast({ message: title })
    return changed.length === selected.length
  }

  async function freeze(): Promise<void> {
    const ids = selected.map(({ _id }) => _id).toSorted()
    // The reason is for these users only. It is there again for those of them who could not be frozen.
    if (ids.some((id) => !reasonIsFor.current.includes(id))) reasonIsFor.current = ids
    await prompt({
      title: t`Freeze ${count}?`,
      text: t`None of their coins can move until each freeze ends. They can still submit work, read your reason and respond.`,
      label: t`Reason`,
      maxLength: 2000,
      requiredMessage: t`Enter a reason. The users will see it.`,
      confirmLabel: t`Freeze ${count}`,
      danger: true,
      draft: `freeze ${reasonIsFor.current.join(' ')}`,
      submit: (reason) =>
        changeAll({
          done: (changed, count) => t`${changed} of ${count} frozen`,
          unchanged: t`This user is already frozen.`,
          send: async ({ _id: id }) =>
            (await call(freezeUser, { params: { id }, body: { reason } })).modifiedCount,
        }),
    })
  }

  async function changeRole(): Promise<void> {
    const choice = await showDialog<Role | 'reviewer' | 'no reviewer'>({
      title: t`Change the role of ${count}`,
      content: (close) => <RoleChoice close={close} />,
    })
    if (choice === null) return
    if (choice === 'reviewer' || choice === 'no reviewer') return setReviewers(choice === 'reviewer')
    await changeAll({
      ...ROLE_CHANGES[choice],
      send: async ({ _id: id }) =>
        (await call(updateRole, { params: { id }, body: { value: choice } })).modifiedCount,
    })
  }

  async function setReviewers(value: boolean): Promise<void> {
    await changeAll({
      done: (changed, count) =>
        value ? t`${changed} of ${count} made reviewers` : t`${changed} of ${count} removed as reviewers`,
      unchanged: value ? t`This user is already a reviewer.` : t`This user is not a reviewer.`,
      send: async ({ _id: id }) =>
        (await call(setReviewer, { params: { id }, body: { value } })).modifiedCount,
    })
  }

  async function remove(): Promise<void> {
    const preview = await previewOf(selected).catch(async (error: unknown) => {
      await showMessage({ title: t`No users were deleted`, text: errorMessage(error), tone: 'error' })
    })
    if (preview === undefined) return
    const confirmed = await confirm({
      title: t`Delete ${count}?`,
      text: (
        <>
          <p>{t`You won't be able to revert this! Their sessions end. In addition:`}</p>
          <ul className="mt-2 list-disc rounded-control bg-canvas py-3 pr-4 pl-8 text-sm text-ink">
            {deletionEffects(preview).map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        </>
      ),
      confirmLabel: t`Delete ${count}`,
      danger: true,
    })
    if (!confirmed) return
    await changeAll({
      done: (changed, count) => t`${changed} of ${count} deleted`,
      unchanged: t`User not found or already deleted.`,
      send: async ({ _id: id }) => (await call(deleteUser, { params: { id } })).deletedCount,
    })
  }

  return { freeze, changeRole, remove, finished }
}

/** Returns the result for one user, or `cancelled` where the Admin did not prove their identity. */
async function changeOne(
  user: UserTableRow,
  unchanged: string,
  send: Change['send'],
): Promise<Result | 'cancelled'> {
  try {
    return { user, problem: (await send(user)) > 0 ? null : unchanged }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'proof_required') return 'cancelled'
    return { user, problem: errorMessage(error) }
  }
}

/** Returns the consequences of deleting users, in total. */
async function previewOf(users: readonly UserTableRow[]): Promise<Preview> {
  const sum: Preview = {
    tasksClosed: 0,
    reservationsCancelled: 0,
    submissionsPaid: 0,
    coinsPaid: 0,
    slotsReleased: 0,
    withdrawalsCancelled: 0,
    coinsSwept: 0,
  }
  for (const { _id: id } of users) {
    const preview = await call(deletionPreview, { params: { id } })
    for (const name of Object.keys(sum) as (keyof Preview)[]) sum[name] += preview[name]
  }
  return sum
}

function showProblems(title: string, problems: readonly Result[]): Promise<void> {
  return showMessage({
    title,
    text: (
      <>
        <p>{t`These users were not changed and are still selected:`}</p>
        <ul className="mt-2 max-h-80 list-disc overflow-auto pl-5 text-sm text-ink">
          {problems.map(({ user, problem }) => (
            <li key={user._id}>
              {user.name}: {problem}
            </li>
          ))}
        </ul>
      </>
    ),
    tone: 'error',
  })
}

const ROLE_CHANGES: Record<Role, Pick<Change, 'done' | 'unchanged'>> = {
  Worker: {
    done: (changed, count) => t`${changed} of ${count} made Workers`,
    unchanged: t`This user is already a Worker.`,
  },
  Buyer: {
    done: (changed, count) => t`${changed} of ${count} made Buyers`,
    unchanged: t`This user is already a Buyer.`,
  },
  Admin: {
    done: (changed, count) => t`${changed} of ${count} made Admins`,
    unchanged: t`This user is already an Admin.`,
  },
}
const MAKE = { Worker: t`Make them Workers`, Buyer: t`Make them Buyers` }

/** Renders the roles that many users can get at once, and the permission to review. Admins are made one at a time. */
function RoleChoice({ close }: { close: (choice: Role | 'reviewer' | 'no reviewer' | null) => void }) {
  return (
    <div className="space-y-4">
      {(['Worker', 'Buyer'] as const).map((role) => (
        <div key={role}>
          <Button fullWidth variant="default" onClick={() => close(role)}>
            {MAKE[role]}
          </Button>
          <p className="mt-1 text-sm text-dim">{ROLE_CHANGE_EFFECTS[role]}</p>
        </div>
      ))}
      <div className="border-t border-line pt-4">
        <Button fullWidth variant="default" onClick={() => close('reviewer')}>
          {t`Make them reviewers`}
        </Button>
        <p className="mt-1 text-sm text-dim">{t`They decide appeals on tasks that they are not involved in. Their role stays.`}</p>
      </div>
      <div>
        <Button fullWidth variant="default" onClick={() => close('no reviewer')}>
          {t`Remove them as reviewers`}
        </Button>
        <p className="mt-1 text-sm text-dim">{t`Their open reviews go to other reviewers.`}</p>
      </div>
      <div className="flex justify-end">
        <Button variant="subtle" onClick={() => close(null)}>{t`Cancel`}</Button>
      </div>
    </div>
  )
}
