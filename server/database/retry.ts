import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const RETRIES_MAX = 5
/** Serialisation failure and deadlock: the transaction had no effect. */
const RETRYABLE = new Set(['40001', '40P01'])
/** A migration replaced a table while a function was at work on it: the statement had no effect, and the next plan is of the new table. */
const DATATYPE_MISMATCH = '42804'
const PARAMETER_TYPE_CHANGED = /when preparing the plan/

/**
 * Retries work that lost a race in the database, after a jittered delay that doubles each time, up to `RETRIES_MAX` times.
 * @param onRetry is called before each retry.
 * @throws the last error, or any other error at once.
 */
export async function retryConflicts<Result>(
  work: () => Promise<Result>,
  onRetry: () => void,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || attempt >= RETRIES_MAX) throw error
      onRetry()
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return (
    RETRYABLE.has(error.code ?? '') ||
    (error.code === DATATYPE_MISMATCH && PARAMETER_TYPE_CHANGED.test(error.message))
  )
}
