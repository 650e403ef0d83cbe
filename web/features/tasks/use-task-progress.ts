import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { myTaskProgress, type TaskProgress } from '#contract/tasks.ts'
import { call } from '#web/lib/api.ts'
import { queryKeyOf } from '#web/lib/queries.ts'

const TASKS_PER_REQUEST = 100

/** Returns the work on each of these tasks of the buyer, by the task's id; empty while it loads. */
export function useTaskProgress(ids: readonly string[]): ReadonlyMap<string, TaskProgress> {
  const { data } = useQuery({
    queryKey: queryKeyOf(myTaskProgress, { query: { tasks: ids.join() } }),
    queryFn: ({ signal }) => fetchProgress(ids, signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return data ?? NONE
}

const NONE: ReadonlyMap<string, TaskProgress> = new Map()

async function fetchProgress(ids: readonly string[], signal: AbortSignal) {
  const progress = new Map<string, TaskProgress>()
  for (let from = 0; from < ids.length; from += TASKS_PER_REQUEST) {
    const query = { tasks: ids.slice(from, from + TASKS_PER_REQUEST).join() }
    for (const one of await call(myTaskProgress, { query }, { signal })) progress.set(one.taskId, one)
  }
  return progress
}
