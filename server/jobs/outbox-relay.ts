import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, queryOne } from '#server/database/database.ts'
import { relay } from '#server/notifications/relay.ts'

const IDLE_MS = 200

/** Returns how many rows of the outbox wait to be relayed. */
export const countOutbox = queryOne<{ pending: number }, []>(
  'outbox_count',
  'select count(*) as pending from outbox',
)

/** Relays the outbox until it is stopped. Retries while the database is unavailable. */
export function startOutboxRelay(
  database: Database,
  mail: Parameters<typeof relay>[1],
  log: FastifyBaseLogger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    let failing = false
    while (!signal.aborted) {
      let more = false
      try {
        more = (await relay(database, mail)).more
        failing = false
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'the outbox relay failed; retrying')
        failing = true
      }
      if (!more) await sleep(failing ? IDLE_MS * 5 : IDLE_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
