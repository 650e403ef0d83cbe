import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Answers, answerText } from '#contract/answer-form.ts'
import { itemsInWork, type ReservedItem, returnItem, takeItem } from '#contract/items.ts'
import { myReservations, returnReservation } from '#contract/reservations.ts'
import { mySubmissions } from '#contract/submissions.ts'
import { taskListWorker } from '#contract/tasks.ts'
import { waiting } from '#contract/waiting.ts'
import { sendNewWork } from '#web/features/submissions/send-work.ts'
import { type UnsentItem, useUnsentWork } from '#web/features/submissions/unsent-work.ts'
import { call, type Reply } from '#web/lib/api.ts'
import { invalidateEndpoints, queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'

type Work = Reply<typeof itemsInWork>

/** Returns the items of a batch's task that the worker has reserved, with what changes them. The first one is worked on. */
export function useItems(taskId: string) {
  const queryClient = useQueryClient()
  const query = queryOf(itemsInWork, { params: { id: taskId } })
  const { data: listed, refetch } = useSuspenseQuery({ ...query, staleTime: 0 })
  const taking = useRef<Promise<void>>(null)
  const { _id: userId } = useUserData()
  const unsent = useUnsentWork(userId)
  const toSend = unsent.filter((work) => work.taskId === taskId && work.refusal === undefined)
  const toSendOf = (number: number) => toSend.find(({ item }) => item?.number === number)
  // An item that waits to be sent stays reserved on the server until it was.
  const reserved = listed.reserved.filter(({ number }) => toSendOf(number)?.isWaiting !== true)
  const work: Work = { ...listed, reserved }

  const change = (update: (cached: Work) => Partial<Work>) =>
    queryClient.setQueryData(query.queryKey, (cached) => cached && { ...cached, ...update(cached) })
  const without = (number: number) => (cached: Work) => ({
    reserved: cached.reserved.filter((item) => item.number !== number),
  })

  /** Reserves the next item. One request at a time: a second call waits for the first. */
  const take = () => {
    taking.current ??= reserve().finally(() => {
      taking.current = null
    })
    return taking.current
  }
  const reserve = async () => {
    const item = await call(takeItem, { params: { id: taskId } })
    // A list that was requested before may lack the item.
    const isFetching = queryClient.isFetching({ queryKey: query.queryKey }) > 0
    await queryClient.cancelQueries({ queryKey: query.queryKey })
    change((cached) => ({
      reserved: [...without(item.number)(cached).reserved, item],
      left: Math.max(0, cached.left - 1),
    }))
    if (isFetching) void refetch()
  }

  /**
   * Submits an item, or keeps it until the network is back. Returns what is reserved then, with the next item if it is being
   * reserved, and whether the item was sent.
   */
  const submit = async (
    { number, title, form }: ReservedItem,
    answers: Answers,
    idempotencyKey: string,
  ): Promise<Work & { wasSent: boolean }> => {
    const item = { number, answers, text: answerText(form, answers) }
    const sending: UnsentItem = { userId, taskId, title, idempotencyKey, isWaiting: false, item }
    const insertedId = await sendNewWork(sending)
    await taking.current?.catch(() => {})
    change((cached) => ({ ...without(number)(cached), submitted: cached.submitted + 1 }))
    const rest = queryClient.getQueryData(query.queryKey) ?? listed
    const wasSent = insertedId !== undefined
    if (wasSent) {
      // The time of the next item begins now.
      void refetch()
      void queryClient.invalidateQueries({ queryKey: queryKeyOf(mySubmissions) })
    }
    return { ...rest, wasSent }
  }

  /** Returns every reserved item, so that other workers can have them, except those whose answers are still to be sent. */
  const stop = async () => {
    await taking.current?.catch(() => {})
    if (toSend.length === 0) await call(returnReservation, { params: { id: taskId } })
    else {
      const { reserved: held } = queryClient.getQueryData(query.queryKey) ?? listed
      for (const { number } of held.filter((item) => toSendOf(item.number) === undefined))
        await call(returnItem, { params: { id: taskId, number: String(number) } })
    }
    change(() => ({ reserved: [] }))
    void invalidateEndpoints(queryClient, [myReservations, taskListWorker, waiting])
  }

  /** The numbers of the items whose answers wait for the network. */
  const waitingItems = toSend.flatMap(({ item, isWaiting }) => (item && isWaiting ? item.number : []))
  return { work, waitingItems, take, submit, stop, refetch }
}
