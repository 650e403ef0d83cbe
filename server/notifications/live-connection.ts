import type { ServerResponse } from 'node:http'
import type { LiveTopic, LiveUpdate } from '#contract/live.ts'
import type { EventRow } from './live-queries.ts'
import { type NotificationRow, presentNotification } from './present.ts'

/** Who reads slower than this piles up is cut off; they come back and get what they missed. */
const BUFFERED_MAX_BYTES = 256 * 1024
const WAITING_MAX = 1000

export type Person = { userId: string; sessionId: string; watchesTasks: boolean; until: number }

/** One open page. Events come in the order of their numbers, each once, whether caught up on or live. */
export class Connection {
  readonly person: Person
  readonly #raw: ServerResponse
  #sent = 0
  /** Live events that arrived while the page was still catching up. */
  #waiting: EventRow[] | undefined = []

  constructor(person: Person, raw: ServerResponse) {
    this.person = person
    this.#raw = raw
  }

  /** The page has seen everything up to `head`; what arrived meanwhile follows, and from now on everything live. */
  begin(resumed: boolean, missed: readonly EventRow[], head: number): void {
    this.#sent = Math.max(head, missed.at(-1)?.seq ?? 0)
    const id = missed.length > 0 ? '' : `id: ${this.#sent}\n`
    const connected = `retry: 2000\n${id}event: connected\ndata: {"resumed":${resumed}}\n\n`
    this.write(connected + missed.map(frameOf).join(''))
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const row of waiting) this.event(row, frameOf(row))
  }

  event(row: EventRow, frame: string): void {
    if (this.#waiting !== undefined) {
      if (this.#waiting.push(row) > WAITING_MAX) this.end('slow')
    } else if (row.seq > this.#sent) {
      this.#sent = row.seq
      this.write(frame)
    }
  }

  /** A frame without a number. A page that is still catching up does without. */
  shared(frame: string): void {
    if (this.#waiting === undefined) this.write(frame)
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
    if (this.open) this.#raw.end(`event: closing\ndata: {"reason":"${reason}"}\n\n`)
  }
}

/** Returns a user's event as a frame of the stream. The database stores notifications without their text. */
export function frameOf({ seq, body }: EventRow): string {
  const stored = JSON.parse(body) as { about: LiveTopic[]; coin: number; notices: NotificationRow[] }
  const update: LiveUpdate = { ...stored, notices: stored.notices.map(presentNotification) }
  return `id: ${seq}\nevent: update\ndata: ${JSON.stringify(update)}\n\n`
}
