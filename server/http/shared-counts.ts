import { LRUCache } from 'lru-cache'
import type { Database } from '#server/database/database.ts'
import { addHits } from './rate-limit.ts'

/** Hits are added to the shared count when they are this share of the limit, so that most need no query. */
const BATCH_SHARE = 0.05

/** `added` of the hits are in the database, where all instances count; `pending` are not yet. */
export type Count = { key: string; max: number; added: number; pending: number; resetsAt: number }

/**
 * Counts requests under limits per window, in one query at most. It takes the database, not a transaction: counting inside
 * one would hold a connection while waiting for another. An instance may admit a twentieth above a limit before it learns
 * what other instances have counted. An instance remembers `entriesMax` counts.
 */
export function createSharedCounts(database: Database, windowSeconds: number, entriesMax: number) {
  // Its arrays are allocated at once: an endpoint that receives no write needs none.
  let counts: LRUCache<string, Count> | undefined

  /** Returns the count of a key in the current window. */
  function countOf(key: string, max: number): Count {
    counts ??= new LRUCache({ max: entriesMax })
    const known = counts.get(key)
    if (known !== undefined && known.resetsAt > Date.now()) return known
    const count = { key, max, added: 0, pending: 0, resetsAt: Date.now() + windowSeconds * 1000 }
    counts.set(key, count)
    return count
  }

  /** Adds one request to each count. Returns the first that is exceeded; then none was added to. */
  async function add(counted: Count[]): Promise<Count | undefined> {
    const exceeded = counted.find(isExceeded)
    if (exceeded !== undefined) return exceeded
    for (const count of counted) count.pending++
    const due = counted.filter(isDue)
    if (due.length === 0) return undefined

    const batch = due.map(({ key, pending }) => ({ key, hits: pending, seconds: windowSeconds }))
    for (const count of due) {
      count.added += count.pending
      count.pending = 0
    }
    for (const { key, hits, resetsAt } of await addHits(database, batch)) {
      const count = due.find((each) => each.key === key)
      if (count !== undefined) Object.assign(count, { added: hits, resetsAt: resetsAt.getTime() })
    }
    return due.find(isExceeded)
  }

  return { countOf, add }
}

function isDue({ max, added, pending }: Count): boolean {
  return pending >= Math.floor(max * BATCH_SHARE) || added + pending >= max
}

function isExceeded({ added, max }: Count): boolean {
  return added > max
}
