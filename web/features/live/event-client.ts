import type { QueryClient } from '@tanstack/react-query'
import type { LiveConnected, LiveTasks, LiveUpdate } from '#contract/live.ts'
import { invalidateAll, invalidateTopics, updateTasks } from '#web/features/live/invalidate-queries.ts'
import { type StreamEvent, stream } from '#web/features/live/sse.ts'

/** Without a stream the screens ask this often instead. */
const POLL_MS = 20_000
/** A tab in the background lets go of its stream after this long, and takes it up again where it was. */
const HIDDEN_MS = 30_000
const WAITS_MS = [500, 2000, 5000, 10_000, 30_000]

/**
 * Follows what the server says has changed and has the screens read it anew. Connections come and go: it takes up the
 * stream again after the last event it saw, and asks at intervals while there is none. Answers how to stop.
 */
export function connectEvents(queryClient: QueryClient, refetchUser: () => Promise<unknown>): () => void {
  let lastId: string | undefined
  let current: AbortController | undefined
  let failures = 0
  let connected = false
  let coin: number | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  function hear({ event, id, data }: StreamEvent): void {
    if (id !== undefined) lastId = id
    if (event === 'connected') {
      connected = true
      failures = 0
      if (!(data as LiveConnected).resumed) invalidateAll(queryClient)
      // Also when nothing was missed: the line may have broken between hearing of it and reading it.
      void refetchUser()
    } else if (event === 'update') {
      const update = data as LiveUpdate
      invalidateTopics(queryClient, update)
      if (update.coin !== coin || update.about.includes('person')) void refetchUser()
      coin = update.coin
    } else if (event === 'tasks') updateTasks(queryClient, (data as LiveTasks).tasks)
  }

  function readAll(): void {
    invalidateAll(queryClient)
    void refetchUser()
  }

  async function open(): Promise<void> {
    clearTimeout(again)
    if (current !== undefined) return
    const opened = new AbortController()
    current = opened
    try {
      await stream(lastId, opened.signal, hear)
    } catch {
      // Whatever it was, trying again is the answer.
    }
    if (current !== opened) return
    current = undefined
    connected = false
    const wait = WAITS_MS[Math.min(failures++, WAITS_MS.length - 1)] ?? 0
    // Spread out, so that a server that restarts is not met by everybody in the same moment.
    again = setTimeout(() => void open(), wait * (0.5 + Math.random()))
  }

  function close(): void {
    clearTimeout(again)
    const closing = current
    current = undefined
    connected = false
    closing?.abort()
  }

  function onVisibility(): void {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(close, HIDDEN_MS)
    else void open()
  }
  function onOnline(): void {
    failures = 0
    close()
    void open()
  }

  const polling = setInterval(() => {
    if (!connected && !document.hidden && navigator.onLine) readAll()
  }, POLL_MS)
  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('online', onOnline)
  void open()

  return () => {
    clearInterval(polling)
    clearTimeout(hiding)
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('online', onOnline)
    close()
  }
}
