import type { QueryClient } from '@tanstack/react-query'
import { invalidateAll } from '#web/features/live/invalidate-queries.ts'

const POLL_MS = 60_000

/**
 * Refetches what the live stream would update, once a minute while the tab is visible and when it becomes visible or is
 * back online. Used instead of the stream where data is saved. Returns a function that stops.
 */
export function pollUpdates(queryClient: QueryClient, refetchUser: () => Promise<unknown>): () => void {
  function poll(): void {
    if (document.hidden || !navigator.onLine) return
    invalidateAll(queryClient)
    void refetchUser()
  }
  const timer = setInterval(poll, POLL_MS)
  document.addEventListener('visibilitychange', poll)
  addEventListener('online', poll)

  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', poll)
    removeEventListener('online', poll)
  }
}
