import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Ineligibility } from '#contract/audience.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import { myTaskStates } from '#contract/submissions.ts'
import { myIneligibleTasks } from '#contract/task-access.ts'
import type { ListedTask } from '#contract/tasks.ts'
import { call } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'

const TASKS_PER_REQUEST = 100

/**
 * Returns the tasks, the state of the worker's submission to each, and those that they may not work on. A task is left out until
 * its state is loaded, so that its card does not change place; all are undefined while none is. Tasks of a buyer who blocked the
 * worker are left out. An error counts as no submissions.
 */
export function useTaskStates(tasks: readonly ListedTask[] | undefined, isForWorkers: boolean) {
  const { userData } = useSession()
  const isWorker = userData?.role === 'Worker'
  // The session of a public page may load after its tasks: cards that are shown stay.
  const [waits] = useState(isForWorkers || isWorker)
  const ids = tasks?.map(({ _id }) => _id) ?? []
  const { data, isFetching } = useQuery({
    queryKey: queryKeyOf(myTaskStates, { query: { tasks: ids.join() } }),
    queryFn: ({ signal }) => fetchStates(ids, signal),
    enabled: isWorker && ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return useMemo(() => {
    const isKnown = ({ _id }: ListedTask) => !waits || !isFetching || data?.[_id] !== undefined
    const known = tasks?.filter(isKnown)
    const isPending = known?.length === 0 && tasks?.length !== 0
    const offered = known?.filter(({ _id }) => data?.[_id]?.ineligible !== 'blocked')
    return { tasks: isPending ? undefined : offered, states: data ?? {} }
  }, [tasks, data, isFetching, waits])
}

export type OwnTaskState = { state: SubmissionState | null; ineligible: Ineligibility['reason'] | null }
type States = Record<string, OwnTaskState>

async function fetchStates(ids: readonly string[], signal: AbortSignal): Promise<States> {
  const states: States = Object.fromEntries(ids.map((id) => [id, { state: null, ineligible: null }]))
  for (let from = 0; from < ids.length; from += TASKS_PER_REQUEST) {
    const query = { tasks: ids.slice(from, from + TASKS_PER_REQUEST).join() }
    const [own, ineligible] = await Promise.all([
      call(myTaskStates, { query }, { signal }),
      call(myIneligibleTasks, { query }, { signal }),
    ])
    for (const { taskId, state } of own) states[taskId] = { state, ineligible: null }
    for (const { taskId, reason } of ineligible)
      states[taskId] = { state: states[taskId]?.state ?? null, ineligible: reason }
  }
  return states
}
