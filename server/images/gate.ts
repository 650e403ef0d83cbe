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

/** So many at once for each person and for all together, so that uploads under way have a bounded size. */
export function places(max: { each: number; all: number }) {
  const taken = new Map<string, number>()
  let all = 0
  return async <Result>(person: string, work: () => Promise<Result>): Promise<Result> => {
    const own = taken.get(person) ?? 0
    if (own >= max.each) throw new Refusal('too_many_requests', 'Please send one picture after the other.')
    if (all >= max.all)
      throw new Refusal('unavailable', 'Many pictures are on their way. Please try again in a moment.')
    taken.set(person, own + 1)
    all++
    try {
      return await work()
    } finally {
      all--
      const left = (taken.get(person) ?? 1) - 1
      if (left === 0) taken.delete(person)
      else taken.set(person, left)
    }
  }
}
