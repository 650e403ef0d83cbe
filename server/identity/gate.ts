import { Refusal } from '#server/http/refusal.ts'

/** Lets work in, a few at a time and in order. @throws Refusal `unavailable` for who finds too many waiting. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

export function makeGate(limits: { running: number; waiting: number }): Gate {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < limits.running) running++
    else if (waiting.length < limits.waiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else
      throw new Refusal('unavailable', 'Many people are signing in right now. Please try again in a moment.')
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next() // hands its place on
    }
  }
}

/**
 * What strangers may ask for that costs something goes through here. A flood of it holds no more than these connections
 * to the database, and makes nobody else wait for one.
 */
export const attempts = makeGate({ running: 3, waiting: 64 })
