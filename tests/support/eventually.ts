import { setTimeout as sleep } from 'node:timers/promises'

/** The ceiling of every wait in the tests, reached only when the condition never becomes true. */
export const CEILING_MS = 120_000

/** Waits until the condition holds. @throws Error when it does not hold within the ceiling. */
export async function eventually(condition: () => Promise<unknown> | unknown): Promise<void> {
  const deadline = Date.now() + CEILING_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not true within ${CEILING_MS} ms: ${condition}`)
    await sleep(20)
  }
}

/** Pauses up to `ms`, so that concurrent work interleaves differently. No result may depend on the length. */
export async function jitter(ms: number): Promise<void> {
  await sleep(Math.random() * ms)
}
