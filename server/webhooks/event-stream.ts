import type { ServerResponse } from 'node:http'
import type { Database } from '#server/database/database.ts'
import { presentEvent } from './present.ts'
import { activeUsers, apiEventsAfter, type EventRow, latestSeq, liveCredentials } from './stream-queries.ts'

const POLL_MS = 500
const HEARTBEAT_MS = 10_000
const PAGE = 100
/** A client that reads too slowly gets no further page until it has taken what was written. */
const BUFFERED_MAX_BYTES = 256 * 1024
const STREAMS_PER_USER_MAX = 5
const STREAMS_MAX = 2_000
/** A client that does not take the end of its stream in this time is disconnected. */
const CLOSE_MS = 5_000

/** `credential` is the API key or the session of the request: the stream ends with it. */
type Client = { userId: string; credential: string; until: number }
type EndReason = 'renew' | 'credential' | 'crowded' | 'stopping'

/** One event stream. It reads its user's events from the database in their order, so none is missed or repeated. */
class EventStream {
  readonly client: Client
  readonly #raw: ServerResponse
  readonly #database: Database
  /** Whether there may be events that were not sent. */
  isBehind = true
  #seq: number
  #reading: Promise<void> | undefined

  constructor(database: Database, client: Client, raw: ServerResponse, seq: number) {
    this.client = client
    this.#raw = raw
    this.#database = database
    this.#seq = seq
  }

  begin(): void {
    this.write(`retry: 2000\nid: ${this.#seq}\nevent: connected\ndata: {}\n\n`)
  }

  /** Sends the events that are new. After an error the stream stays behind. */
  catchUp(onError: (error: unknown) => void): void {
    this.#reading ??= this.#read()
      .catch((error: unknown) => {
        this.isBehind = true
        onError(error)
      })
      .finally(() => {
        this.#reading = undefined
      })
  }

  async #read(): Promise<void> {
    while (this.isBehind && this.open) {
      this.isBehind = false
      let page: EventRow[]
      do {
        const { userId, credential } = this.client
        page = await apiEventsAfter(this.#database, userId, this.#seq, credential, PAGE)
        this.write(page.map(frameOf).join(''))
        this.#seq = page.at(-1)?.seq ?? this.#seq
        if (this.#raw.writableLength > BUFFERED_MAX_BYTES) await taken(this.#raw)
      } while (page.length === PAGE && this.open)
    }
  }

  get open(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded
  }

  write(frames: string): void {
    if (this.open && frames !== '') this.#raw.write(frames)
  }

  end(reason: EndReason): void {
    if (this.open) this.#raw.setTimeout(CLOSE_MS).end(`event: closing\ndata: {"reason":"${reason}"}\n\n`)
  }
}

function frameOf({ seq, ...row }: EventRow): string {
  return `id: ${seq}\nevent: ${row.type}\ndata: ${JSON.stringify(presentEvent(row))}\n\n`
}

/** Resolves when the client has taken what was written, or has disconnected. */
function taken(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => raw.once('drain', resolve).once('close', resolve))
}

export type EventHub = {
  readonly full: boolean
  /** Opens a stream with the events after `lastSeen`, or after the latest one. */
  join(client: Client, raw: ServerResponse, lastSeen: number | undefined): Promise<void>
  close(): void
}

/**
 * Creates the hub of this instance's event streams. While there are streams it polls for users with new events, whose
 * streams then read them.
 */
export function createEventHub(database: Database, onError: (error: unknown) => void): EventHub {
  const byUser = new Map<string, Set<EventStream>>()
  let size = 0
  let cursor: number | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let heartbeatTimer: NodeJS.Timeout | undefined
  const streams = () => [...byUser.values()].flatMap((own) => [...own])

  async function poll(): Promise<void> {
    try {
      if (cursor !== undefined) {
        const active = await activeUsers(database, cursor)
        for (const { user_id, head } of active) {
          cursor = Math.max(cursor, head)
          for (const stream of byUser.get(user_id) ?? []) stream.isBehind = true
        }
      }
      // Also those whose last read failed.
      for (const stream of streams()) if (stream.isBehind) stream.catchUp(onError)
    } catch (error) {
      onError(error)
    } finally {
      pollTimer = size > 0 ? setTimeout(() => void poll(), POLL_MS) : undefined
      // The next stream starts at the latest event.
      if (pollTimer === undefined) cursor = undefined
    }
  }

  /** Sends a heartbeat and closes streams that expired, or whose key or session ended. */
  async function heartbeat(): Promise<void> {
    const all = streams()
    for (const stream of all) {
      if (stream.client.until <= Date.now()) stream.end('renew')
      else stream.write(':\n\n')
    }
    const live = await liveCredentials(database, [...new Set(all.map(({ client }) => client.credential))])
    const ids = new Set(live.map(({ id }) => id))
    for (const stream of all) if (!ids.has(stream.client.credential)) stream.end('credential')
  }

  function leave(stream: EventStream): void {
    const own = byUser.get(stream.client.userId)
    if (own?.delete(stream)) size--
    if (own?.size === 0) byUser.delete(stream.client.userId)
    if (size > 0) return
    clearInterval(heartbeatTimer)
    heartbeatTimer = undefined
  }

  return {
    get full() {
      return size >= STREAMS_MAX
    },
    async join(client, raw, lastSeen) {
      // What is committed after this number is found by polling.
      const { head } = await latestSeq(database)
      const stream = new EventStream(database, client, raw, Math.min(lastSeen ?? head, head))
      // The client disconnected while it was authenticated: `close` was emitted before.
      if (!stream.open) return
      const own = byUser.get(client.userId) ?? new Set()
      // An ended stream is in the set until it is closed.
      const others = [...own].filter(({ open }) => open)
      if (others.length >= STREAMS_PER_USER_MAX) others[0]?.end('crowded')
      byUser.set(client.userId, own.add(stream))
      size++
      raw.once('close', () => leave(stream))
      heartbeatTimer ??= setInterval(() => void heartbeat().catch(onError), HEARTBEAT_MS)
      cursor ??= head
      pollTimer ??= setTimeout(() => void poll(), POLL_MS)
      stream.begin()
      stream.catchUp(onError)
    },
    close() {
      for (const stream of streams()) stream.end('stopping')
    },
  }
}
