import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { submissionCase } from '#contract/appeals.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { itemOfSubmission, itemsInWork } from '#contract/items.ts'
import { myNotifications, notifications } from '#contract/notifications.ts'
import { myReservations } from '#contract/reservations.ts'
import { workerStats } from '#contract/stats.ts'
import { mySubmissionCounts, mySubmissions, myTaskStates } from '#contract/submissions.ts'
import { tasksForFavourites } from '#contract/task-access.ts'
import { myTask, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { waiting } from '#contract/waiting.ts'
import { objectStore } from '#web/lib/indexed-db.ts'
import { readLastSession, SAVED_REPLIES } from '#web/lib/last-session.ts'
import { prefetchRoute, savesData } from '#web/lib/prefetch.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'

/** Lists, tasks and cases as they were last seen. Nothing about money leaves the memory, except a Worker's totals. */
const SAVED: Endpoint[] = [
  taskListWorker,
  tasksForFavourites,
  taskDetails,
  itemsInWork,
  submissionCase,
  itemOfSubmission,
  myReservations,
  mySubmissions,
  mySubmissionCounts,
  myTaskStates,
  myTask,
  notifications,
  myNotifications,
  waiting,
  workerStats,
]
const SAVED_PATHS = new Set<unknown>(SAVED.map(({ path }) => path))
const SAVE_AFTER_MS = 300
const AGE_MAX_MS = 7 * 86_400_000
/** Each save replaces all that was saved before, so what nothing shows any more stays in memory to be saved with the rest. */
const MEMORY_MS = 86_400_000
const QUERIES_MAX = 100

type Saved = { email: string; version: string | undefined; savedAt: number; state: DehydratedState }

const replies = objectStore<Saved>(SAVED_REPLIES, 'replies')

/** A new version may expect other fields, so it does not use what an earlier one saved. */
const version = () => window.__reactRouterManifest?.version

/** Puts the replies that this user's last page saved into the query cache. Without storage there are none. */
export async function restoreReplies(queryClient: QueryClient, email: string): Promise<void> {
  // Before they are restored: a query keeps the time with which it was made.
  for (const endpoint of SAVED) queryClient.setQueryDefaults(queryKeyOf(endpoint), { gcTime: MEMORY_MS })
  try {
    const saved = await replies.get('last')
    if (saved?.email !== email || saved.version !== version()) return
    if (Date.now() - saved.savedAt > AGE_MAX_MS) return
    // What changed since then has no event for this page. What it loads already is newer and stays valid.
    for (const { state } of saved.state.queries) state.isInvalidated = true
    hydrate(queryClient, saved.state)
  } catch {
    // The screens fetch what they need.
  }
}

/**
 * Fetches the tasks and the items of the user's reservations that are not on the device, such as after they were reserved on
 * another one, so that the work can be done offline.
 */
function fetchReserved(queryClient: QueryClient): void {
  if (savesData()) return
  for (const { taskId, item } of queryClient.getQueryData(queryOf(myReservations, {}).queryKey) ?? []) {
    const input = { params: { id: taskId } }
    const task = queryOf(taskDetails, input)
    if (queryClient.getQueryData(task.queryKey) === undefined) void queryClient.prefetchQuery(task)
    if (item === null) continue
    prefetchRoute(`/dashboard/batches/${taskId}/work`)
    const items = { ...queryOf(itemsInWork, input), staleTime: 0 }
    const known = queryClient.getQueryData(items.queryKey)?.reserved ?? []
    if (!known.some(({ number }) => number === item)) void queryClient.prefetchQuery(items)
  }
}

/** Saves the replies of a user while they change. Returns a function that stops. */
export function saveReplies(queryClient: QueryClient, email: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function save(): void {
    clearTimeout(timer)
    timer = undefined
    // After a sign-out, in this tab or another, nothing of this user is written again.
    if (readLastSession()?.user.email !== email) return
    const state = dehydrate(queryClient, {
      shouldDehydrateQuery: ({ queryKey, state: { status } }) =>
        status === 'success' && SAVED_PATHS.has(queryKey[0]),
      shouldDehydrateMutation: () => false,
    })
    state.queries = state.queries
      .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
      .slice(0, QUERIES_MAX)
    const saved = { email, version: version(), savedAt: Date.now(), state }
    void replies.put('last', saved)
  }
  const onHidden = () => {
    if (document.hidden && timer !== undefined) save()
  }

  document.addEventListener('visibilitychange', onHidden)
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    const path = event.query.queryKey[0]
    if (event.type !== 'updated' || !SAVED_PATHS.has(path)) return
    timer ??= setTimeout(save, SAVE_AFTER_MS)
    if (path === myReservations.path && event.action.type === 'success') fetchReserved(queryClient)
  })
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onHidden)
    unsubscribe()
  }
}
