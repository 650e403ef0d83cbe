import {
  createDecisionQueue,
  type DecisionEntry,
  type StoredDecision,
} from '#web/features/review/decision-queue.ts'

/** Two decisions, and work that they are about. */
export const APPROVE = { kind: 'approve', buyer: 'Nadia' } as const
export const REJECT = { kind: 'reject', reason: 'Empty', category: 'incomplete', requirement: '' } as const
export const rafi = { id: 'a', worker: 'Rafi', coins: 25 }

/** A clock that moves when the test says so, and requests that end when the test says so. */
export class World {
  time = 1_000_000
  stored = new Map<string, StoredDecision>()
  requests: {
    entries: DecisionEntry[]
    succeed: (refusals: ReadonlyMap<string, string>) => void
    fail: (error: Error) => void
  }[] = []
  settled: DecisionEntry[] = []
  private timers = new Set<{ at: number; work: () => void }>()

  open() {
    return createDecisionQueue({
      clock: {
        now: () => this.time,
        after: (ms, work) => {
          const timer = { at: this.time + ms, work }
          this.timers.add(timer)
          return () => void this.timers.delete(timer)
        },
      },
      store: {
        list: () => [...this.stored.values()],
        put: (stored) => void this.stored.set(stored.work.id, stored),
        get: (id) => this.stored.get(id),
        remove: (id) => void this.stored.delete(id),
      },
      send: (entries) =>
        new Promise((resolve, fail) => this.requests.push({ entries, succeed: resolve, fail })),
      onSettled: (entries) => this.settled.push(...entries),
    })
  }

  advance(ms: number): void {
    this.time += ms
    for (const timer of [...this.timers].filter(({ at }) => at <= this.time)) {
      this.timers.delete(timer)
      timer.work()
    }
  }

  /** Ends requests, and lets the queue handle their results. */
  async end(result: 'succeed' | Error, count = this.requests.length): Promise<void> {
    for (const request of this.requests.splice(0, count))
      if (result === 'succeed') request.succeed(new Map())
      else request.fail(result)
    await new Promise(setImmediate)
  }

  get sentIds(): string[] {
    return this.requests.flatMap(({ entries }) => entries.map(({ work }) => work.id))
  }
}

export const phaseOf = (queue: ReturnType<World['open']>, id: string) => queue.entries().get(id)?.phase
