import PQueue from 'p-queue'

/**
 * Creates a limit of `running` writes of one user at once; further ones wait in memory, where they hold no connection.
 * Without it, the concurrent writes of one user to one row wait for its lock on every connection of the pool. Load
 * shedding limits how many wait.
 */
export function createUserConcurrency(running: number) {
  const queues = new Map<string, { queue: PQueue; writes: number }>()
  return async <Result>(userId: string, write: () => Promise<Result>): Promise<Result> => {
    const own = queues.get(userId) ?? { queue: new PQueue({ concurrency: running }), writes: 0 }
    queues.set(userId, own)
    own.writes++
    try {
      return await own.queue.add(write)
    } finally {
      if (--own.writes === 0) queues.delete(userId)
    }
  }
}
