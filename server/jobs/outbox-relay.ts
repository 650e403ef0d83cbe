import type { FastifyBaseLogger } from 'fastify'
import { type Database, queryOne } from '#server/database/database.ts'
import { relay } from '#server/notifications/relay.ts'
import { type Polling, startPolling } from '#server/polling.ts'

/** For what is written without a request, by jobs and other instances. */
const IDLE_MS = 500
const RETRY_MS = 1_000
/** Under load a batch takes the rows of this time. */
const GAP_MS = 50

/** Returns how many rows and grouped notifications of the outbox wait to be relayed, and how long the oldest has waited. */
export const countOutbox = queryOne<{ pending: number; seconds: number }, []>(
  'outbox_count',
  `select coalesce(sum(size), 0) as pending, coalesce(extract(epoch from clock_time() - min(created_at)), 0)::float8 as seconds
     from (select 1 as size, created_at from outbox union all select size, created_at from outbox_groups) as waiting`,
)

/** Relays the outbox until it is stopped, at once when it is woken. Retries while the database is unavailable. */
export function startOutboxRelay(
  database: Database,
  createJobs: Parameters<typeof relay>[1],
  log: FastifyBaseLogger,
): Polling {
  let isFailing = false
  const polling = startPolling(
    async () => {
      try {
        if ((await relay(database, createJobs)).more) polling.wake()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'the outbox relay failed; retrying')
        isFailing = true
      }
    },
    { idleMs: () => (isFailing ? RETRY_MS : IDLE_MS), gapMs: GAP_MS },
  )
  return polling
}
