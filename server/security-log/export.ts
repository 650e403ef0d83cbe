import type { Db } from '#server/database/database.ts'
import { presentSecurityEvent } from './present.ts'
import { eventsOldestFirst } from './queries.ts'

const PAGE = 1000

/** Streams the whole log as JSON lines, oldest first, page by page. */
export async function* exportSecurityLog(db: Db): AsyncGenerator<string> {
  for (let after: number | null = null; ; ) {
    const rows = await eventsOldestFirst(db, after, PAGE)
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(presentSecurityEvent(row))}\n`).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.id
  }
}
