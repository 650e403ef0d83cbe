import type { Db } from './database.ts'

/** Reads the ids of due rows, oldest first. */
type ReadDue = (db: Db, limit: number) => Promise<{ id: string }[]>

const BATCH_SIZE = 200
const CONCURRENCY = 4

/**
 * Processes every due row, each in a transaction of its own, so that rows never wait for one another and a failure
 * affects one row only, `concurrency` at a time. `process` guards its row and returns false when another instance was first.
 * Returns the number of rows processed.
 * @throws AggregateError with the failures, after all other rows are processed.
 */
export async function processDueRows(
  db: Db,
  readDue: ReadDue,
  process: (id: string) => Promise<boolean>,
  concurrency = CONCURRENCY,
): Promise<number> {
  const failures = new Map<string, unknown>()
  const skipped = new Set<string>()
  let processed = 0
  for (;;) {
    // Skipped rows stay due and come first in the next batch; the next run retries them.
    const due = await readDue(db, BATCH_SIZE + skipped.size)
    const ids = due.map(({ id }) => id).filter((id) => !skipped.has(id))
    if (ids.length === 0) break
    const queue = ids.values()
    const runner = async () => {
      for (const id of queue) {
        try {
          if (await process(id)) processed++
          else skipped.add(id)
        } catch (error) {
          skipped.add(id)
          failures.set(id, error)
        }
      }
    }
    await Promise.all(Array.from({ length: concurrency }, runner))
  }
  if (failures.size > 0) {
    const [[id, first] = []] = failures
    const reason = first instanceof Error ? first.message : String(first)
    throw new AggregateError(
      failures.values(),
      `${failures.size} failed and ${processed} were processed; ${id}: ${reason}`,
    )
  }
  return processed
}
