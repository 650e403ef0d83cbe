import { EventSourceParserStream } from 'eventsource-parser/stream'
import { pathOf } from '#contract/endpoint.ts'
import { live } from '#contract/live.ts'
import { discardToken, getIdToken } from '#web/lib/id-token.ts'

export type StreamEvent = { event: string | undefined; id: string | undefined; data: unknown }

/** The server is heard from every ten seconds; when not, the line is dead though nobody said so. */
const SILENCE_MS = 25_000

/**
 * One connection to the live stream, from after `lastId`. An EventSource cannot carry the token, so the stream is read
 * by hand. Ends when the server hangs up, the line goes silent or `signal` says so.
 */
export async function stream(
  lastId: string | undefined,
  signal: AbortSignal,
  hear: (event: StreamEvent) => void,
): Promise<void> {
  const token = await getIdToken()
  if (token === null) return
  const silent = new AbortController()
  let alarm = setTimeout(() => silent.abort(), SILENCE_MS)
  const alive = () => {
    clearTimeout(alarm)
    alarm = setTimeout(() => silent.abort(), SILENCE_MS)
  }
  try {
    const response = await fetch(`${pathOf(live)}?tasks=true`, {
      headers: { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) },
      signal: AbortSignal.any([signal, silent.signal]),
      cache: 'no-store',
    })
    if (response.status === 401) discardToken(token)
    if (!response.ok || response.body === null) throw new Error(`The stream answered ${response.status}`)
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        alive()
        out.enqueue(chunk)
      },
    })
    const events = response.body
      .pipeThrough(heard)
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    for (let next = await events.read(); !next.done; next = await events.read()) {
      const { event, id, data } = next.value
      hear({ event, id, data: JSON.parse(data) })
    }
  } finally {
    clearTimeout(alarm)
  }
}
