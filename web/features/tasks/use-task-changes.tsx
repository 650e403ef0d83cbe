import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { allTask, closeTask, myTask, type Task, taskDetails, taskListWorker } from '#contract/tasks.ts'
import type { ChangeResult, Close } from '#web/features/coins/spend-dialog.tsx'
import { AddSlotsForm, DeadlineForm, ReopenForm } from '#web/features/tasks/task-change-forms.tsx'
import { useOfferPurchase } from '#web/features/tasks/use-offer-purchase.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins, pluralize } from '#web/lib/format.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { confirm, showDialog, showMessage } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'

type Form = (close: Close) => ReactNode

/**
 * Returns the changes that a buyer can make to a posted task besides its text (docs/specification/tasks.md). Each asks in
 * a dialog first.
 */
export function useTaskChanges() {
  const queryClient = useQueryClient()
  const { refetchUser } = useSession()
  const offerPurchase = useOfferPurchase()

  async function showChanged(message: string): Promise<void> {
    await Promise.all([
      refetchUser(),
      ...[myTask, allTask, taskListWorker, taskDetails].map((endpoint) =>
        queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
      ),
    ])
    void toast({ message })
  }

  async function change(title: string, content: Form, message: string): Promise<void> {
    const result = await showDialog<ChangeResult>({ title, content })
    if (result === 'unaffordable') await offerPurchase('Cancel')
    if (result === 'done') await showChanged(message)
  }

  const showFailure = (title: string, error: unknown) =>
    showMessage({ title, text: errorMessage(error), tone: 'error' })

  return {
    addSlots: (task: Task) =>
      change('Add workers', (close) => <AddSlotsForm task={task} close={close} />, 'Workers were added.'),

    moveDeadline: (task: Task) =>
      change(
        'Change the deadline',
        (close) => <DeadlineForm task={task} close={close} />,
        'The deadline was changed.',
      ),

    async close(task: Task): Promise<void> {
      const confirmed = await confirm({
        title: 'Close this task?',
        text: closingEffect(task),
        confirmLabel: 'Close task',
      })
      if (!confirmed) return
      try {
        const { coins } = await call(closeTask, { params: { id: task._id } })
        await showChanged(`The task was closed.${coins > 0 ? ` ${formatCoins(coins)} were refunded.` : ''}`)
      } catch (error) {
        await showFailure('Could not close the task', error)
      }
    },

    async reopen({ _id }: Task): Promise<void> {
      try {
        // A task in a list lacks the number of slots that become free again.
        const task = await queryClient.fetchQuery(queryOf(taskDetails, { params: { id: _id } }))
        await change(
          'Reopen this task',
          (close) => <ReopenForm task={task} close={close} />,
          'The task was reopened.',
        )
      } catch (error) {
        await showFailure('Could not reopen the task', error)
      }
    },
  }
}

/** Returns the effect of closing in numbers: the coins of open slots are refunded (docs/specification/tasks.md). */
function closingEffect(task: Task): string {
  const refund =
    task.worker > 0
      ? `${formatCoins(task.worker * task.payable_amount)} for ${pluralize(task.worker, 'open slot')} will be refunded to your balance.`
      : 'No coins will be refunded, because no slots are open.'
  return `${refund} Submitted work remains in Task To Review. You can reopen the task later.`
}
