import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/database/database.ts'
import { countOutbox } from '#server/jobs/outbox-relay.ts'

const POLL_MS = 100

/**
 * Waits until the server has done what earlier operations have deferred, which would count as processor time of the next: notifications
 * to relay, and withdrawal requests to assess. Emails are sent at a steady rate, also within later operations.
 */
export async function deferredWorkDone(database: Database): Promise<void> {
  while ((await countOutbox(database)).pending > 0 || (await isAssessing(database))) await sleep(POLL_MS)
}

async function isAssessing({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>(
    'select exists (select from requests_to_assess) as waits',
  )
  return rows[0]?.waits === true
}
