import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const QUIET_MS = 1_500

/** Returns how many emails the server has written into its folder. */
export function countEmails(folder: string): number {
  return readdirSync(folder).filter((name) => name.endsWith('.json')).length
}

/** Waits until the server has sent the emails of earlier operations, which would count as processor time of the next. */
export async function emailsSent(folder: string): Promise<void> {
  for (let known = -1, now = countEmails(folder); known !== now; now = countEmails(folder)) {
    known = now
    await sleep(QUIET_MS)
  }
}
