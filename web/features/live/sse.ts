import { EventSourceParserStream } from 'eventsource-parser/stream'
import { pathOf } from '#contract/endpoint.ts'
import { live } from '#contract/live.ts'
import { discardToken, getIdToken } from '#web/lib/id-token.ts'

export type ServerEvent = { event: string | undefined; id: string | undefined; data: unknown }

/** The server sends a heartbeat every ten seconds; without one, the connection is assumed dead. */
const HEARTBEAT_TIMEOUT_MS = 25_000

/**
 * Reads the live stream after the event `lastId`, since which the page has loaded its data where it `hasLoaded`, with
 * fetch, because an EventSource cannot send the ID token. Resolves when the server closes the stream; rejects after a
 * heartbeat timeout or when `signal` aborts.
 */
export async function readEvents(
  { lastId, hasLoaded }: { lastId: string | undefined; hasLoaded: boolean },
  signal: AbortSignal,
  onEvent: (event: ServerEvent) => void,
): Promise<void> {
  const token = await getIdToken()
  if (token === null) return
  const timeout = new AbortController()
  let timer = setTimeout(() => timeout.abort(), HEARTBEAT_TIMEOUT_MS)
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => timeout.abort(), HEARTBEAT_TIMEOUT_MS)
  }
  try {
    const response = await fetch(`${pathOf(live)}?tasks=true${hasLoaded ? '&loaded=true' : ''}`, {
      headers: { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) },
      signal: AbortSignal.any([signal, timeout.signal]),
      cache: 'no-store',
    })
    if (response.status === 401) discardToken(token)
    if (!response.ok || response.body === null) throw new Error(`The stream returned ${response.status}`)
    const activityMonitor = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        resetTimer()
        out.enqueue(chunk)
      },
    })
    const events = response.body
      .pipeThrough(activityMonitor)
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    for (let next = await events.read(); !next.done; next = await events.read()) {
      const { event, id, data } = next.value
      onEvent({ event, id, data: JSON.parse(data) })
    }
  } finally {
    clearTimeout(timer)
  }
}
