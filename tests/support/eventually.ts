import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until something is so. @throws after `ms` that it never was. */
export async function until(isSo: () => Promise<unknown> | unknown, ms = 15_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It was not so within ${ms} ms: ${isSo}`)
    await sleep(50)
  }
}
