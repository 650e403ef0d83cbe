import { DEFAULT_LOCALE } from '#contract/locales.ts'
import type { Db } from '#server/database/database.ts'
import { presentSecurityEvent } from './present.ts'
import { eventsOldestFirst } from './queries.ts'

const PAGE = 1000

/** Streams the whole log as JSON lines in English, oldest first, page by page. */
export async function* exportSecurityLog(db: Db): AsyncGenerator<string> {
  for (let after: number | null = null; ; ) {
    const rows = await eventsOldestFirst(db, after, PAGE)
    const events = rows.map((row) => presentSecurityEvent(row, DEFAULT_LOCALE))
    if (events.length > 0) yield events.map((event) => `${JSON.stringify(event)}\n`).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.id
  }
}
