/** Queries that read more rows than this are expensive enough to cache. */
const EXPENSIVE_ROWS = 20_000
/** A cached result is served for this many times the duration of its query, and at most for a minute. */
const AGE_PER_DURATION = 20
const AGE_MAX_MS = 60_000

/**
 * Caches a query over a whole table, such as a total of the marketplace. Below `EXPENSIVE_ROWS` every call runs it.
 * Above, calls share a result; when it is due, one call refreshes it in the background while others get the last one,
 * so that the query takes at most a twentieth of a processor. `read` returns the value and the rows it read.
 */
export function cachedQuery<Value>(
  read: () => Promise<{ value: Value; rows: number }>,
): () => Promise<Value> {
  let cached: { value: Value; at: number; durationMs: number } | undefined
  let inFlight: Promise<Value> | undefined
  let isCheap = false

  async function refresh(): Promise<Value> {
    const started = performance.now()
    const { value, rows } = await read()
    const at = performance.now()
    isCheap = rows <= EXPENSIVE_ROWS
    cached = isCheap ? undefined : { value, at, durationMs: at - started }
    return value
  }

  function refreshOnce(): Promise<Value> {
    inFlight ??= refresh().finally(() => {
      inFlight = undefined
    })
    return inFlight
  }

  return async () => {
    if (cached === undefined) return isCheap ? refresh() : refreshOnce()
    const { value, at, durationMs } = cached
    const age = performance.now() - at
    if (age > AGE_MAX_MS) return refreshOnce()
    // A failed refresh is retried by the next caller; this one has a value that is recent enough.
    if (age > durationMs * AGE_PER_DURATION) refreshOnce().catch(() => {})
    return value
  }
}
