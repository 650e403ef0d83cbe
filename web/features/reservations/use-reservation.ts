import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { myReservations, reserveSlot, returnReservation } from '#contract/reservations.ts'
import { type TaskDetails, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { waiting } from '#contract/waiting.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { invalidateEndpoints, queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { showError } from '#web/ui/dialogs.tsx'

/** Returns the worker's reservation of a task, with the actions that change it. */
export function useReservation(task: TaskDetails) {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState<'start' | 'return' | null>(null)
  const [isOver, setIsOver] = useState(false)
  const { _id: id, reservation, submission } = task
  const [shown, setShown] = useState(reservation)
  const [returned, setReturned] = useState<string>()

  if (shown?._id !== reservation?._id) {
    setShown(reservation)
    // The server has lapsed it, and the clock of the device may be behind.
    const isLapsed = submission === null && pending !== 'return' && returned !== shown?._id
    if (shown !== null && reservation === null && isLapsed) setIsOver(true)
  }

  const change = (update: (cached: TaskDetails) => Partial<TaskDetails>) =>
    queryClient.setQueryData(
      queryOf(taskDetails, { params: { id } }).queryKey,
      (cached) => cached && { ...cached, ...update(cached) },
    )
  const refetchOthers = () => {
    void invalidateEndpoints(queryClient, [myReservations, taskListWorker, waiting])
  }
  const refetchTask = () => void queryClient.invalidateQueries({ queryKey: queryKeyOf(taskDetails) })

  const run = async (action: 'start' | 'return', work: () => Promise<void>) => {
    setPending(action)
    try {
      await work()
      refetchOthers()
    } catch (error) {
      void showError(t`Error`, t`Something went wrong!`, errorMessage(error))
    } finally {
      setPending(null)
      refetchTask()
    }
  }
  const start = () =>
    run('start', async () => {
      const reserved = await call(reserveSlot, { params: { id } })
      change(({ worker }) => ({ reservation: reserved, worker: Math.max(0, worker - 1) }))
    })
  const returnSlot = () =>
    run('return', async () => {
      await call(returnReservation, { params: { id } })
      setIsOver(false)
      setReturned(reservation?._id)
      change(({ worker, isClosed }) => ({ reservation: null, worker: isClosed ? 0 : worker + 1 }))
    })

  const expire = () => {
    setIsOver(true)
    refetchTask()
  }

  // It can be used until the server lapses it, also when the clock of the device runs ahead.
  return {
    reservation,
    hasExpired: reservation === null && isOver,
    isStarting: pending === 'start',
    isReturning: pending === 'return',
    start,
    returnSlot,
    expire,
  }
}
