import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listReviews, submissionCase } from '#contract/appeals.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { itemOfSubmission } from '#contract/items.ts'
import { statement } from '#contract/ledger.ts'
import { mySubmissionCounts, mySubmissions, taskToReview } from '#contract/submissions.ts'
import { taskDetails } from '#contract/tasks.ts'
import { waiting } from '#contract/waiting.ts'
import { type ChangeResult, type Close, showReplayed } from '#web/features/coins/spend-dialog.tsx'
import { MY_TASKS } from '#web/features/tasks/my-task-endpoints.ts'
import { useOfferPurchase } from '#web/features/tasks/use-offer-purchase.ts'
import { errorMessage } from '#web/lib/api.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { type ConfirmOptions, confirm, showDialog, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

const CHANGED: Endpoint[] = [
  submissionCase,
  itemOfSubmission,
  listReviews,
  mySubmissions,
  mySubmissionCounts,
  taskToReview,
  ...MY_TASKS,
  taskDetails,
  statement,
  waiting,
]

/** Returns the ways in which an action of a case is asked for, and what follows when the server has accepted it. */
export function useCaseActions() {
  const queryClient = useQueryClient()
  const { refetchUser } = useSession()
  const offerPurchase = useOfferPurchase()

  async function refetch(): Promise<void> {
    await Promise.all([refetchUser(), invalidateEndpoints(queryClient, CHANGED)])
  }

  async function showDone(message: string): Promise<void> {
    await refetch()
    void toast({ message })
  }

  return {
    refetch,
    showDone,

    /** Sends an action that needs a confirmation only. */
    async confirmed(options: ConfirmOptions, send: () => Promise<unknown>, message: string): Promise<void> {
      if (!(await confirm(options))) return
      try {
        await send()
        await showDone(message)
      } catch (error) {
        await showMessage({ title: t`Could not save this`, text: errorMessage(error), tone: 'error' })
      }
    },

    /** Opens a form that costs coins. Too small a balance leads to the purchase page. */
    async spend(title: string, content: (close: Close) => ReactNode, message: string): Promise<void> {
      const result = await showDialog<ChangeResult>({ title, content })
      if (result === 'unaffordable') await offerPurchase(t`Cancel`)
      if (result === 'done') await showDone(message)
      // An earlier request, or one without a response, may have changed it.
      if (result === 'replayed' || result === null) await refetch()
      if (result === 'replayed') await showReplayed()
    },
  }
}
