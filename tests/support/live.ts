import { EventSourceParserStream } from 'eventsource-parser/stream'

export type LiveEvent = { event: string; id: string | undefined; data: unknown }

/** Opens an event stream as a browser does, by default the live stream, and stores what it receives. */
export async function openEventStream(
  origin: string,
  authorization: string,
  {
    after,
    tasks = false,
    path = '/api/live',
  }: { after?: string | undefined; tasks?: boolean; path?: string } = {},
) {
  const closing = new AbortController()
  const response = await fetch(`${origin}${path}${tasks ? '?tasks=true' : ''}`, {
    headers: { authorization, ...(after !== undefined && { 'last-event-id': after }) },
    signal: closing.signal,
  })
  const received: LiveEvent[] = []
  let lastId = after
  const query = (async () => {
    const events = response.body
      ?.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
    if (events === undefined) return
    for await (const { event = '', id, data } of events) {
      if (id !== undefined) lastId = id
      received.push({ event, id, data: JSON.parse(data) })
    }
  })().catch(() => {})
  return {
    status: response.status,
    headers: response.headers,
    received,
    /** The data of the events of this kind. */
    // biome-ignore lint/suspicious/noExplicitAny: a test reads events of every shape
    of: (kind: string): any[] => received.filter(({ event }) => event === kind).map(({ data }) => data),
    get lastId() {
      return lastId
    },
    /** Resolves when the server has hung up. */
    ended: query,
    async close() {
      closing.abort()
      await query
    },
  }
}
