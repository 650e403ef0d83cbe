import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Batch, batch, batches } from '#contract/batches.ts'
import { allTask, closeTask, type Task, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { AddWorkersForm } from '#web/features/batches/add-workers-form.tsx'
import { type ChangeResult, type Close, showReplayed } from '#web/features/coins/spend-dialog.tsx'
import { MY_TASKS } from '#web/features/tasks/my-task-endpoints.ts'
import { refundEffect } from '#web/features/tasks/refund-effect.ts'
import { ReservedRefund } from '#web/features/tasks/reserved-refund.tsx'
import { AddSlotsForm, DeadlineForm, ReopenForm } from '#web/features/tasks/task-change-forms.tsx'
import { useOfferPurchase } from '#web/features/tasks/use-offer-purchase.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatCoins } from '#web/lib/format.ts'
import { invalidateEndpoints, queryOf } from '#web/lib/queries.ts'
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
  const { userData, refetchUser } = useSession()
  const offerPurchase = useOfferPurchase()

  async function refetch(): Promise<void> {
    await Promise.all([
      refetchUser(),
      invalidateEndpoints(queryClient, [...MY_TASKS, allTask, taskListWorker, taskDetails, batch, batches]),
    ])
  }

  async function showChanged(message: string): Promise<void> {
    await refetch()
    void toast({ message })
  }

  async function change(title: string, content: Form, message: string): Promise<void> {
    const result = await showDialog<ChangeResult>({ title, content })
    if (result === 'unaffordable') await offerPurchase(t`Cancel`)
    if (result === 'done') await showChanged(message)
    // An earlier request, or one without a response, may have changed it.
    if (result === 'replayed' || result === null) await refetch()
    if (result === 'replayed') await showReplayed()
  }

  const showChangeError = (title: string, error: unknown) =>
    showMessage({ title, text: errorMessage(error), tone: 'error' })

  const moveDeadline = (task: Pick<Task, '_id' | 'completion_date'>) =>
    change(
      t`Change the deadline`,
      (close) => <DeadlineForm task={task} close={close} />,
      t`The deadline was changed.`,
    )

  const addBatchWorkers = (opened: Batch) =>
    change(
      t`Add workers`,
      (close) => <AddWorkersForm batch={opened} reward={opened.cost?.reward ?? 0} close={close} />,
      t`Workers were added.`,
    )

  return {
    async addSlots(task: Task): Promise<void> {
      if (!task.isBatch)
        return change(
          t`Add workers`,
          (close) => <AddSlotsForm task={task} close={close} />,
          t`Workers were added.`,
        )
      try {
        const [opened] = await queryClient.fetchQuery({
          ...queryOf(batches, { query: { task: task._id } }),
          networkMode: 'always',
        })
        if (opened !== undefined) await addBatchWorkers(opened)
      } catch (error) {
        await showChangeError(t`Could not add workers`, error)
      }
    },

    addBatchWorkers,

    moveDeadline,

    moveBatchDeadline: ({ taskId, completionDate }: Batch) =>
      moveDeadline({ _id: taskId ?? '', completion_date: completionDate ?? '' }),

    async close(task: Task): Promise<void> {
      const confirmed = await confirm({
        title: t`Close this task?`,
        text: closingEffect(task, userData?.debt ?? 0),
        confirmLabel: t`Close task`,
      })
      if (!confirmed) return
      try {
        const { changed, coins } = await call(closeTask, { params: { id: task._id } })
        await showChanged(
          !changed
            ? t`The task was already closed.`
            : coins > 0
              ? t`The task was closed with a refund of ${{ coins: formatCoins(coins) }}.`
              : t`The task was closed.`,
        )
      } catch (error) {
        // A request without a response may have closed it.
        void refetch()
        await showChangeError(t`Could not close the task`, error)
      }
    },

    async reopen({ _id }: Task): Promise<void> {
      try {
        // A task in a list lacks the number of slots that become free again.
        const task = await queryClient.fetchQuery({
          ...queryOf(taskDetails, { params: { id: _id } }),
          networkMode: 'always',
        })
        await change(
          t`Reopen this task`,
          (close) => <ReopenForm task={task} close={close} />,
          t`The task was reopened.`,
        )
      } catch (error) {
        await showChangeError(t`Could not reopen the task`, error)
      }
    },
  }
}

/** Returns the effect of closing: what is refunded, and what remains (docs/specification/tasks.md). */
function closingEffect(task: Task, debt: number): ReactNode {
  return (
    <>
      {refundEffect(task, 'you', debt)} <ReservedRefund task={task} />{' '}
      {t`Submitted work remains in Task To Review. You can reopen the task later.`}
    </>
  )
}
