import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { buyerStats } from '#contract/stats.ts'
import {
  REASON_MAX,
  rejectSubmission,
  type Submission,
  taskToReview,
  updateSubmissionStatus,
} from '#contract/submissions.ts'
import { myTask } from '#contract/tasks.ts'
import { ApiError, call, errorMessage } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession, useUserData } from '#web/lib/session.tsx'
import { prompt, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

/** Returns `approve` and `reject`; `pendingIds` are the submissions whose decision is in flight. */
export function useReviewDecisions() {
  const queryClient = useQueryClient()
  const user = useUserData()
  const { refetchUser } = useSession()
  const [pendingIds, setPendingIds] = useState<ReadonlySet<string>>(new Set())

  async function decide(id: string, work: () => Promise<unknown>): Promise<boolean> {
    setPendingIds((now) => new Set(now).add(id))
    try {
      await work()
      return true
    } catch (error) {
      await showMessage({ title: 'Could not save your decision', text: errorMessage(error), tone: 'error' })
      return error instanceof ApiError && error.status === 409
    } finally {
      await Promise.all(
        [taskToReview, myTask, buyerStats].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
        ),
      )
      setPendingIds((now) => new Set([...now].filter((other) => other !== id)))
    }
  }

  async function approve({ _id }: Submission): Promise<void> {
    await decide(_id, async () => {
      await call(updateSubmissionStatus, {
        params: { id: _id },
        body: { status: 'approved', buyer: user.user },
      })
      void toast({ title: 'Task Approved', message: 'Task has been approved!' })
    })
  }

  async function reject(submission: Submission): Promise<void> {
    const reason = await prompt({
      title: 'Reject this work?',
      text: `${submission.worker_name} will not be paid. ${formatCoins(submission.payable_amount)} stay in escrow for the task, or are refunded to you if it is closed. The worker sees your reason and can try again.`,
      label: 'Reason',
      maxLength: REASON_MAX,
      requiredMessage: 'Enter a reason, so that the worker knows what to improve',
      confirmLabel: 'Reject',
      danger: true,
    })
    if (reason === null) return
    await decide(submission._id, async () => {
      await call(rejectSubmission, { params: { id: submission._id }, body: { reason } })
      void refetchUser()
      void toast({ title: 'Work rejected', message: `${submission.worker_name} can see your reason.` })
    })
  }

  return { approve, reject, pendingIds }
}
