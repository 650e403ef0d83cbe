import type { ServerResponse } from 'node:http'
import type { LiveTopic, LiveUpdate } from '#contract/live.ts'
import type { Locale } from '#contract/locales.ts'
import type { EventRow } from './live-queries.ts'
import { type NotificationRow, presentNotification } from './present.ts'

/** A client that reads too slowly is disconnected above these limits; it reconnects and receives what it missed. */
const BUFFERED_MAX_BYTES = 256 * 1024
const PENDING_MAX = 1000
/** A client that does not take the end of its stream in this time is disconnected. */
const CLOSE_MS = 5_000

export type LiveClient = {
  userId: string
  sessionId: string
  /** The user's language when the stream was opened. */
  locale: Locale
  watchesTasks: boolean
  until: number
}

/** One event stream. Sends events in the order of their numbers, each once, whether missed or live. */
export class Connection {
  readonly client: LiveClient
  readonly #raw: ServerResponse
  #sent = 0
  /** Live events that arrived while missed ones were being read; undefined afterwards. */
  #pending: EventRow[] | undefined = []

  constructor(client: LiveClient, raw: ServerResponse) {
    this.client = client
    this.#raw = raw
  }

  /** Sends the missed events up to `head`, then the pending ones; from now on events are sent as they arrive. */
  begin(resumed: boolean, missed: readonly EventRow[], head: number): void {
    this.#sent = Math.max(head, missed.at(-1)?.seq ?? 0)
    const id = missed.length > 0 ? '' : `id: ${this.#sent}\n`
    const connected = `retry: 2000\n${id}event: connected\ndata: {"resumed":${resumed}}\n\n`
    this.write(connected + missed.map((row) => this.#frameOf(row)).join(''))
    const pending = this.#pending ?? []
    this.#pending = undefined
    for (const row of pending) this.event(row)
  }

  event(row: EventRow): void {
    if (this.#pending !== undefined) {
      if (this.#pending.push(row) > PENDING_MAX) this.end('slow')
    } else if (row.seq > this.#sent) {
      this.#sent = row.seq
      this.write(this.#frameOf(row))
    }
  }

  #frameOf(row: EventRow): string {
    return frameOf(row, this.client.locale)
  }

  /** Sends a frame without a number, unless missed events are still being read. */
  broadcast(frame: string): void {
    if (this.#pending === undefined) this.write(frame)
  }

  get open(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded
  }

  write(frame: string): void {
    if (!this.open) return
    this.#raw.write(frame)
    if (this.#raw.writableLength > BUFFERED_MAX_BYTES) this.#raw.destroy()
  }

  end(reason: 'renew' | 'session' | 'crowded' | 'slow' | 'stopping'): void {
    if (!this.open) return
    // The end is sent after the events that wait. A client that reads nothing would stay connected beyond the limits.
    if (this.#raw.writableLength > 0) this.#raw.destroy()
    else this.#raw.setTimeout(CLOSE_MS).end(`event: closing\ndata: {"reason":"${reason}"}\n\n`)
  }
}

/** Returns a user's event as a frame of the stream. The database stores notifications without their text. */
function frameOf({ seq, body }: EventRow, locale: Locale): string {
  const stored = JSON.parse(body) as { about: LiveTopic[]; coin: number; notices: NotificationRow[] }
  const notices = stored.notices.map((row) => presentNotification(row, locale))
  const update: LiveUpdate = { ...stored, notices }
  return `id: ${seq}\nevent: update\ndata: ${JSON.stringify(update)}\n\n`
}
