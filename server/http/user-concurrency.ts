import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

const WAITING_MAX = 64

/**
 * Creates a limit of `running` writes of one user at once; further ones wait in memory, where they hold no connection.
 * Without it, the concurrent writes of one user to one row wait for its lock on every connection of the pool.
 */
export function createUserConcurrency(running: number) {
  const limits = new Map<string, { limit: ConcurrencyLimit; writes: number }>()
  /** @throws Refusal `unavailable` when too many writes of this user wait. */
  return async <Result>(userId: string, write: () => Promise<Result>): Promise<Result> => {
    const own = limits.get(userId) ?? {
      limit: createConcurrencyLimit({ running, waiting: WAITING_MAX, refusal: 'unavailable.overloaded' }),
      writes: 0,
    }
    limits.set(userId, own)
    own.writes++
    try {
      return await own.limit(write)
    } finally {
      if (--own.writes === 0) limits.delete(userId)
    }
  }
}
