type Writes = { running: number; waiting: (() => void)[] }

/**
 * Creates a limit of `running` writes of one user at once; further ones wait in memory, where they hold no connection.
 * Without it, the concurrent writes of one user to one row wait for its lock on every connection of the pool. Load
 * shedding limits how many wait.
 */
export function createConcurrencyLimitPerUser(running: number) {
  const writesOf = new Map<string, Writes>()
  return async <Result>(userId: string, write: () => Promise<Result>): Promise<Result> => {
    const own = writesOf.get(userId) ?? { running: 0, waiting: [] }
    writesOf.set(userId, own)
    // A write that ends passes its place to the first in the queue.
    if (own.running < running) own.running++
    else await new Promise<void>((resolve) => own.waiting.push(resolve))
    try {
      return await write()
    } finally {
      const next = own.waiting.shift()
      if (next !== undefined) next()
      else if (--own.running === 0) writesOf.delete(userId)
    }
  }
}
