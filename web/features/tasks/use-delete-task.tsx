import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { allTask, deleteTask, managedTasks, type Task, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { MY_TASKS } from '#web/features/tasks/my-task-endpoints.ts'
import { refundEffect } from '#web/features/tasks/refund-effect.ts'
import { ReservedRefund } from '#web/features/tasks/reserved-refund.tsx'
import { call, errorMessage, isRefusal, type Reply } from '#web/lib/api.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'

/**
 * Asks for confirmation, deletes a task and shows the result, with the prescribed texts
 * (docs/specification/screens.md). `owner` names who gets the coins back: the user themselves, or the
 * task's buyer when an Admin deletes it.
 */
export function useDeleteTask(owner: 'you' | 'buyer') {
  const queryClient = useQueryClient()
  const { userData, refetchUser } = useSession()
  /** The idempotency keys of deletions whose outcome is unknown, by task: a retry gets the first response with its refund. */
  const keys = useRef(new Map<string, string>())

  async function send(id: string): Promise<Reply<typeof deleteTask>> {
    const idempotencyKey = keys.current.get(id) ?? crypto.randomUUID()
    keys.current.set(id, idempotencyKey)
    try {
      const reply = await call(deleteTask, { params: { id } }, { idempotencyKey })
      keys.current.delete(id)
      return reply
    } catch (error) {
      if (isRefusal(error)) keys.current.delete(id)
      throw error
    }
  }

  async function refetch(): Promise<void> {
    void refetchUser()
    await invalidateEndpoints(queryClient, [...MY_TASKS, allTask, managedTasks, taskListWorker, taskDetails])
  }

  return async function remove(task: Task): Promise<void> {
    const confirmed = await confirm({
      title: t`Are you sure?`,
      text: (
        <>
          <p>{t`You won't be able to revert this!`}</p>
          <p className="mt-3 rounded-control bg-canvas px-4 py-3 text-sm text-ink">
            {deletionEffect(task, owner, userData?.debt ?? 0)}
          </p>
        </>
      ),
      confirmLabel: t`Yes, delete it!`,
      danger: true,
    })
    if (!confirmed) return
    try {
      const { refund } = await send(task._id)
      await refetch()
      await showMessage({
        title: t`Deleted!`,
        text: refund > 0 ? t`Task deleted and coins refunded.` : t`Task deleted.`,
      })
    } catch (error) {
      // A request without a response may have deleted it.
      void refetch()
      await showMessage({ title: t`Could not delete the task`, text: errorMessage(error), tone: 'error' })
    }
  }
}

/** Returns the effect of a deletion: what is refunded, and what remains (docs/specification/tasks.md). */
function deletionEffect(task: Task, owner: 'you' | 'buyer', debt: number): ReactNode {
  const refund = refundEffect(task, owner, debt)
  if (task.isCompleted || task.worker === task.required_workers) return refund
  return owner === 'you' ? (
    <>
      {refund} <ReservedRefund task={task} />{' '}
      {t`Approved work remains paid. Pending work remains in Task To Review.`}
    </>
  ) : (
    `${refund} ${t`Approved work remains paid. Pending work remains in the buyer’s review list.`}`
  )
}
