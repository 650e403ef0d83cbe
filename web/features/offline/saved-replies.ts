import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { itemsInWork } from '#contract/items.ts'
import { myNotifications, notifications } from '#contract/notifications.ts'
import { myReservations } from '#contract/reservations.ts'
import { workerStats } from '#contract/stats.ts'
import { mySubmissionCounts, mySubmissions, myTaskStates } from '#contract/submissions.ts'
import { tasksForFavourites } from '#contract/task-access.ts'
import { myTask, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { waiting } from '#contract/waiting.ts'
import { objectStore } from '#web/lib/indexed-db.ts'
import { readLastSession, SAVED_REPLIES } from '#web/lib/last-session.ts'
import { queryKeyOf } from '#web/lib/queries.ts'

/** Lists and tasks as they were last seen. Nothing about money leaves the memory, except a Worker's totals. */
const SAVED: Endpoint[] = [
  taskListWorker,
  tasksForFavourites,
  taskDetails,
  itemsInWork,
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
/** Tasks that were opened are saved as long as the app is open, and the newest of them. */
const MEMORY_MS = 86_400_000
const QUERIES_MAX = 100

type Saved = { email: string; version: string | undefined; savedAt: number; state: DehydratedState }

const replies = objectStore<Saved>(SAVED_REPLIES, 'replies')

/** A new version may expect other fields, so it does not use what an earlier one saved. */
const version = () => window.__reactRouterManifest?.version

/** Puts the replies that this user's last page saved into the query cache. Without storage there are none. */
export async function restoreReplies(queryClient: QueryClient, email: string): Promise<void> {
  // Before they are restored: a query keeps the time with which it was made.
  queryClient.setQueryDefaults(queryKeyOf(taskDetails), { gcTime: MEMORY_MS })
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
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && SAVED_PATHS.has(query.queryKey[0])) timer ??= setTimeout(save, SAVE_AFTER_MS)
  })
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onHidden)
    unsubscribe()
  }
}
