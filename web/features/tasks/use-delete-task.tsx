import { useQueryClient } from '@tanstack/react-query'
import { allTask, deleteTask, myTask, type Task, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, pluralize } from '#web/lib/format.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { confirm, showMessage } from '#web/ui/dialogs.tsx'

/**
 * Asks for confirmation, deletes a task and shows the result, with the prescribed texts
 * (docs/specification/screens.md). `owner` names who gets the coins back: the user themselves, or the
 * task's buyer when an Admin deletes it.
 */
export function useDeleteTask(owner: 'you' | 'buyer') {
  const queryClient = useQueryClient()
  const { refetchUser } = useSession()

  return async function remove(task: Task): Promise<void> {
    const confirmed = await confirm({
      title: 'Are you sure?',
      text: (
        <>
          <p>You won't be able to revert this!</p>
          <p className="mt-3 rounded-control bg-canvas px-4 py-3 text-sm text-ink">
            {deletionEffect(task, owner)}
          </p>
        </>
      ),
      confirmLabel: 'Yes, delete it!',
      danger: true,
    })
    if (!confirmed) return
    try {
      const { refund } = await call(deleteTask, { params: { id: task._id } })
      await Promise.all(
        [myTask, allTask, taskListWorker, taskDetails].map((endpoint) =>
          queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
        ),
      )
      if (refund > 0) void refetchUser()
      await showMessage({
        title: 'Deleted!',
        text: refund > 0 ? 'Task deleted and coins refunded.' : 'Task deleted.',
      })
    } catch (error) {
      await showMessage({ title: 'Could not delete the task', text: errorMessage(error), tone: 'error' })
    }
  }
}

/** Returns the effect of a deletion in numbers: the coins of open slots are refunded (docs/specification/tasks.md). */
function deletionEffect(task: Task, owner: 'you' | 'buyer'): string {
  const refund = task.worker * task.payable_amount
  const recipient = owner === 'you' ? 'your balance' : `the balance of ${task.buyer_name}`
  const refundText =
    refund > 0
      ? `${formatCoins(refund)} for ${pluralize(task.worker, 'open slot')} will be refunded to ${recipient}.`
      : 'No coins will be refunded, because no slots are open.'
  if (task.isCompleted || task.worker === task.required_workers) return refundText
  const reviewer = owner === 'you' ? 'Task To Review' : 'the buyer’s review list'
  return `${refundText} Approved work remains paid. Pending work remains in ${reviewer}.`
}
