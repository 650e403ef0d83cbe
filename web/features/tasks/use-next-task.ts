import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { type TaskDetails, taskDetails } from '#contract/tasks.ts'
import { listedAfter } from '#web/features/tasks/listed-tasks.ts'
import { ApiError } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'

/** Others may have taken the tasks since they were listed. After this many the list is opened, which is loaded again. */
const CANDIDATES_MAX = 5

const isOpenTo = (viewerId: string, task: TaskDetails) => {
  const { buyerId, worker, isClosed, submission, ineligibility, reservation } = task
  if (buyerId === viewerId || submission !== null) return false
  return reservation !== null || (worker > 0 && !isClosed && ineligibility === null)
}

/**
 * Returns how to open the next task of the list that this one was listed in, and the path of the list. `hasNext` is whether
 * one was listed; `find` returns the path of the first that is still open, or of the list. Without a network it is the first
 * whose details this browser has.
 */
export function useNextTask(taskId: string) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isShown = useIsShown()
  const { _id: viewerId } = useUserData()
  const { path: listPath, taskIds } = listedAfter(taskId)

  async function isStillOpen(id: string): Promise<boolean> {
    const query = queryOf(taskDetails, { params: { id } })
    if (!onlineManager.isOnline()) {
      const saved = queryClient.getQueryData(query.queryKey)
      return saved !== undefined && isOpenTo(viewerId, saved)
    }
    try {
      return isOpenTo(viewerId, await queryClient.fetchQuery(query))
    } catch (error) {
      // What else went wrong is shown by the task's screen, with a way to try again.
      return !(error instanceof ApiError) || error.status !== 404
    }
  }

  async function find(): Promise<string> {
    for (const id of taskIds.slice(0, CANDIDATES_MAX)) {
      if (await isStillOpen(id)) return `/dashboard/task-details/${id}`
    }
    return listPath
  }

  return {
    listPath,
    hasNext: taskIds.length > 0,
    find,
    open: async () => {
      const path = await find()
      if (isShown()) await navigate(path)
    },
  }
}
