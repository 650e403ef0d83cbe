import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/database/database.ts'
import { countOutbox } from '#server/jobs/outbox-relay.ts'

const POLL_MS = 100

/** Returns how many emails the server has written into its folder. */
export function countEmails(folder: string): number {
  return readdirSync(folder).filter((name) => name.endsWith('.json')).length
}

/**
 * Waits until the outbox of earlier operations is relayed, which would count as processor time of the next. Their emails are sent at a
 * steady rate, also within later ones.
 */
export async function outboxRelayed(database: Database): Promise<void> {
  while ((await countOutbox(database)).pending > 0) await sleep(POLL_MS)
}
