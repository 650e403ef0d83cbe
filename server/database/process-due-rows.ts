import type { Db } from './database.ts'

/** Ids of rows whose time has come, those that waited longest first. */
type ReadDue = (db: Db, limit: number) => Promise<{ id: string }[]>

const BATCH = 200
const AT_ONCE = 4

/**
 * Does something to every row whose time has come, each in a transaction of its own, so that no two of them wait for
 * each other and one that fails holds up no other. `work` guards itself: it answers false where somebody was first.
 * Answers how many it did.
 * @throws AggregateError with what failed, after all others are done.
 */
export async function processDueRows(
  db: Db,
  readDue: ReadDue,
  work: (id: string) => Promise<boolean>,
): Promise<number> {
  const failures = new Map<string, unknown>()
  const left = new Set<string>()
  let done = 0
  for (;;) {
    // What could not be done stays due and comes again at the front of the list; the next run tries it again.
    const due = await readDue(db, BATCH + left.size)
    const ids = due.map(({ id }) => id).filter((id) => !left.has(id))
    if (ids.length === 0) break
    const queue = ids.values()
    const runner = async () => {
      for (const id of queue) {
        try {
          if (await work(id)) done++
          else left.add(id)
        } catch (error) {
          left.add(id)
          failures.set(id, error)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, runner))
  }
  if (failures.size > 0) {
    const [[id, first] = []] = failures
    const reason = first instanceof Error ? first.message : String(first)
    throw new AggregateError(
      failures.values(),
      `${failures.size} failed and ${done} were done; ${id}: ${reason}`,
    )
  }
  return done
}
