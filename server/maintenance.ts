import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { startDuePartitions } from './database/due-partitions.ts'
import { rebuildSearchIndexes } from './tasks/search-indexes.ts'

// The owner of the tables does this; the running server's role may not (docs/decisions/0023-the-server-role.md). It is the only
// work that uses the owner's connection after the start.

const INTERVAL_MS = 3_600_000

/**
 * Starts due partitions and rebuilds search indexes, every hour. `stop` abandons a rebuild, which PostgreSQL completes. A
 * partition whose start was interrupted is started by the next run.
 */
export function startMaintenance(owner: pg.Pool, log: FastifyBaseLogger): { stop(): void } {
  let client: pg.PoolClient | undefined
  async function run(): Promise<void> {
    if (client !== undefined) return
    try {
      for (const partition of await startDuePartitions(owner))
        log.info({ partition }, 'a partition was started')
      client = await owner.connect()
      for (const index of await rebuildSearchIndexes(client))
        log.info({ index }, 'a search index was rebuilt')
    } catch (err) {
      log.warn({ err }, 'the tables could not be maintained')
    } finally {
      client?.release()
      client = undefined
    }
  }
  const timer = setInterval(() => void run(), INTERVAL_MS)
  return {
    stop() {
      clearInterval(timer)
      client?.release(true)
      client = undefined
    },
  }
}
