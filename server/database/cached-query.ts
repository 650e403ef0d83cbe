/** A figure over more rows than this is dear enough to be shared. */
const DEAR_ROWS = 20_000
/** A shared answer may be as old as this many times what it took to read, and no older than a minute. */
const TIMES = 20
const MAX_MS = 60_000

/**
 * Wraps a reading over a whole table. In a small marketplace each call reads anew. In a large one calls share an
 * answer that is at most a twentieth of a processor's time to keep; when it is due, one call reads anew in the
 * background while the others have the last one. `read` answers the figure and how many rows it looked at.
 */
export function cachedQuery<Figure>(
  read: () => Promise<{ figure: Figure; rows: number }>,
): () => Promise<Figure> {
  let last: { figure: Figure; at: number; tookMs: number } | undefined
  let underWay: Promise<Figure> | undefined
  let small = false

  async function readNow(): Promise<Figure> {
    const started = performance.now()
    const { figure, rows } = await read()
    const at = performance.now()
    small = rows <= DEAR_ROWS
    last = small ? undefined : { figure, at, tookMs: at - started }
    return figure
  }

  function readOnce(): Promise<Figure> {
    underWay ??= readNow().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return async () => {
    if (last === undefined) return small ? readNow() : readOnce()
    const { figure, at, tookMs } = last
    const age = performance.now() - at
    if (age > MAX_MS) return readOnce()
    // A failed reading is the next caller's to try; this one has an answer that still counts.
    if (age > tookMs * TIMES) readOnce().catch(() => {})
    return figure
  }
}
