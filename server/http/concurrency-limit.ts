import type { PlainRefusalKey } from '#contract/refusals.en.ts'
import { Refusal } from './refusal.ts'

/** Runs work when fewer than the maximum run already. Throws a refusal (503) when too many wait. */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

type Options = { running: number; waiting: number; refusal: PlainRefusalKey }

/** Creates a limit of `running` pieces of work at once; `waiting` more queue in order, and the rest are refused. */
export function createConcurrencyLimit({
  running: max,
  waiting: queueMax,
  refusal,
}: Options): ConcurrencyLimit {
  const queue: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < max) running++
    else if (queue.length < queueMax) await new Promise<void>((resolve) => queue.push(resolve))
    else throw new Refusal(refusal)
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) running--
      else next() // its slot goes to the next in the queue
    }
  }
}
