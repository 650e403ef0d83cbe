import PQueue from 'p-queue'
import type { PlainRefusalKey } from '#contract/refusals.en.ts'
import { Refusal } from './refusal.ts'

/** Runs work when fewer than the maximum run already. Throws a refusal (503) when too many wait. */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

type Options = { running: number; waiting: number; refusal: PlainRefusalKey }

/**
 * Creates a limit of `running` pieces of work at once; `waiting` more queue in order, and the rest are refused
 * (docs/decisions/0013-concurrency-limit.md).
 */
export function createConcurrencyLimit({ running, waiting, refusal }: Options): ConcurrencyLimit {
  const queue = new PQueue({ concurrency: running })
  return async (work) => {
    if (queue.size >= waiting) throw new Refusal(refusal)
    return queue.add(work)
  }
}
