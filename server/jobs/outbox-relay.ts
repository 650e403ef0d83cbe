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

/** Keeps the outbox moving until it is stopped. A database that is away is tried again a moment later. */
export function startOutboxRelay(
  database: Database,
  mail: Parameters<typeof relay>[1],
  log: FastifyBaseLogger,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    let troubled = false
    while (!signal.aborted) {
      let more = false
      try {
        more = (await relay(database, mail)).more
        troubled = false
      } catch (error) {
        if (!troubled) log.warn({ err: error }, 'the outbox cannot be relayed; trying on')
        troubled = true
      }
      if (!more) await sleep(troubled ? IDLE_MS * 5 : IDLE_MS, undefined, { signal }).catch(() => {})
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
