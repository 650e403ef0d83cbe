import type { QueryClient } from '@tanstack/react-query'
import type { LiveConnected, LiveTasks, LiveUpdate } from '#contract/live.ts'
import { invalidateAll, invalidateTopics, updateTasks } from '#web/features/live/invalidate-queries.ts'
import { readEvents, type ServerEvent } from '#web/features/live/sse.ts'

/** The polling interval while there is no connection. */
const POLL_MS = 20_000
/** A hidden tab closes its connection after this time, and resumes it when it is visible again. */
const DISCONNECT_HIDDEN_MS = 30_000
const RECONNECT_DELAYS_MS = [500, 2000, 5000, 10_000, 30_000]

/**
 * Connects to the live stream and invalidates the queries that its events concern. Reconnects after the last received
 * event, and polls while disconnected. The first connection begins after `latestEvent`, before which nothing on the page
 * was loaded. Returns a function that disconnects.
 */
export function connectEvents(
  queryClient: QueryClient,
  refetchUser: () => Promise<unknown>,
  latestEvent: string | null = null,
): () => void {
  let lastId = latestEvent ?? undefined
  let isFirst = latestEvent !== null
  let connection: AbortController | undefined
  let failures = 0
  let connected = false
  let coin: number | undefined
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined

  function handleEvent({ event, id, data }: ServerEvent): void {
    if (id !== undefined) lastId = id
    if (event === 'connected') {
      connected = true
      failures = 0
      const { resumed } = data as LiveConnected
      if (!resumed) invalidateAll(queryClient)
      // Even when resumed: the connection may have failed between an event and the refetch it caused.
      if (!resumed || !isFirst) void refetchUser()
      isFirst = false
    } else if (event === 'update') {
      const update = data as LiveUpdate
      invalidateTopics(queryClient, update)
      if (update.coin !== coin || update.about.includes('person')) void refetchUser()
      coin = update.coin
    } else if (event === 'tasks') updateTasks(queryClient, (data as LiveTasks).tasks)
  }

  function refetchAll(): void {
    invalidateAll(queryClient)
    void refetchUser()
  }

  async function open(): Promise<void> {
    clearTimeout(reconnectTimer)
    if (connection !== undefined) return
    const controller = new AbortController()
    connection = controller
    try {
      await readEvents({ lastId, hasLoaded: isFirst }, controller.signal, handleEvent)
    } catch {
      // Reconnect after any error.
    }
    if (connection !== controller) return
    connection = undefined
    connected = false
    const delay = RECONNECT_DELAYS_MS[Math.min(failures++, RECONNECT_DELAYS_MS.length - 1)] ?? 0
    // With jitter, so that not all clients reconnect at once after a restart.
    reconnectTimer = setTimeout(() => void open(), delay * (0.5 + Math.random()))
  }

  function close(): void {
    clearTimeout(reconnectTimer)
    const controller = connection
    connection = undefined
    connected = false
    controller?.abort()
  }

  function onVisibility(): void {
    clearTimeout(hiddenTimer)
    if (document.hidden) hiddenTimer = setTimeout(close, DISCONNECT_HIDDEN_MS)
    else void open()
  }
  function onOnline(): void {
    failures = 0
    close()
    void open()
  }

  const polling = setInterval(() => {
    if (!connected && !document.hidden && navigator.onLine) refetchAll()
  }, POLL_MS)
  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('online', onOnline)
  void open()

  return () => {
    clearInterval(polling)
    clearTimeout(hiddenTimer)
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('online', onOnline)
    close()
  }
}
