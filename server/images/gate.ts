import { Refusal } from '#server/http/refusal.ts'

/** Lets so many pieces of heavy work run at once and so many wait. @throws Refusal `unavailable` beyond that. */
export function gate(max: { running: number; waiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < max.running) running++
    else if (waiting.length < max.waiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw new Refusal('unavailable', 'Many pictures are on their way. Please try again in a moment.')
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
