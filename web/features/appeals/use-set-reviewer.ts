import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { appealStatistics } from '#contract/appeals.ts'
import { listReviewers, setReviewer } from '#contract/manage-users.ts'
import { waiting } from '#contract/waiting.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { confirm } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

type Subject = { _id: string; name: string }

/** Returns `add` and `remove`, which ask for confirmation and return whether the permission was saved. */
export function useSetReviewer() {
  const queryClient = useQueryClient()
  const [pendingUserId, setPendingUserId] = useState<string | null>(null)

  async function save({ _id, name }: Subject, value: boolean): Promise<boolean> {
    setPendingUserId(_id)
    try {
      await call(setReviewer, { params: { id: _id }, body: { value } })
      await invalidateEndpoints(queryClient, [listReviewers, appealStatistics, waiting])
      void toast({
        message: value ? t`${name} can review appeals.` : t`${name} can no longer review appeals.`,
      })
      return true
    } catch (error) {
      void toast({ title: t`Could not save the permission`, message: errorMessage(error), tone: 'error' })
      return false
    } finally {
      setPendingUserId(null)
    }
  }

  async function add(user: Subject): Promise<boolean> {
    const confirmed = await confirm({
      title: t`Make ${{ name: user.name }} a reviewer?`,
      text: t`They decide appeals on tasks that they are not involved in.`,
      confirmLabel: t`Add reviewer`,
    })
    return confirmed && save(user, true)
  }

  async function remove(user: Subject): Promise<boolean> {
    const confirmed = await confirm({
      title: t`Remove ${{ name: user.name }} as a reviewer?`,
      text: t`Their open reviews go to other reviewers, unless they are an Admin.`,
      confirmLabel: t`Remove reviewer`,
      danger: true,
    })
    return confirmed && save(user, false)
  }

  return { add, remove, pendingUserId }
}
