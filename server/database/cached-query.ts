import type { Database } from './database.ts'

/** Queries that read more rows than this are expensive enough to cache. */
const EXPENSIVE_ROWS = 20_000
/** A cached result is served for this many times the duration of its query, and at most for a minute. */
const AGE_PER_DURATION = 20
const AGE_MAX_MS = 60_000

/**
 * Caches a query over a whole table, such as a total of the marketplace. Below `EXPENSIVE_ROWS` every call runs it.
 * Above, calls share a result; when it is due, one call refreshes it in the background while others get the last one,
 * so that the query takes at most a twentieth of a processor. `read` returns the value and the rows it read; it runs on the
 * database of a caller, which may be a replica.
 */
export function cachedQuery<Value>(
  read: (database: Database) => Promise<{ value: Value; rows: number }>,
): (database: Database) => Promise<Value> {
  let cached: { value: Value; at: number; durationMs: number } | undefined
  let inFlight: Promise<Value> | undefined
  let isCheap = false

  async function refresh(database: Database): Promise<Value> {
    const started = performance.now()
    const { value, rows } = await read(database)
    const at = performance.now()
    isCheap = rows <= EXPENSIVE_ROWS
    cached = isCheap ? undefined : { value, at, durationMs: at - started }
    return value
  }

  function refreshOnce(database: Database): Promise<Value> {
    inFlight ??= refresh(database).finally(() => {
      inFlight = undefined
    })
    return inFlight
  }

  return async (database) => {
    if (cached === undefined) return isCheap ? refresh(database) : refreshOnce(database)
    const { value, at, durationMs } = cached
    const age = performance.now() - at
    if (age > AGE_MAX_MS) return refreshOnce(database)
    // A failed refresh is retried by the next caller; this one has a value that is recent enough.
    if (age > durationMs * AGE_PER_DURATION) refreshOnce(database).catch(() => {})
    return value
  }
}
