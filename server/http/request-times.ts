/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
const NAME = 'http_request_seconds'

export type RequestTimes = {
  /** Counts an answered request that took this many milliseconds. */
  observe(method: string, route: string, status: number, ms: number): void
  /** Everything counted so far as a Prometheus histogram. */
  text(): string
}

type Times = { buckets: number[]; count: number; seconds: number }

/**
 * How many requests there were and how long they took, by method, route and status. Kept by hand, because it is done for
 * every request: a general histogram takes longer to find its labels than a shared answer takes to send.
 */
export function requestTimes(): RequestTimes {
  const byLabels = new Map<string, Times>()

  return {
    observe(method, route, status, ms) {
      const labels = `method="${method}",route="${route}",status="${status}"`
      let times = byLabels.get(labels)
      if (times === undefined) {
        times = { buckets: BOUNDS.map(() => 0), count: 0, seconds: 0 }
        byLabels.set(labels, times)
      }
      const seconds = ms / 1000
      times.count++
      times.seconds += seconds
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) times.buckets[bucket] = (times.buckets[bucket] ?? 0) + 1
    },
    text() {
      const lines = [`# HELP ${NAME} How long requests took, by route`, `# TYPE ${NAME} histogram`]
      for (const [labels, { buckets, count, seconds }] of byLabels) {
        let below = 0
        for (const [index, bound] of BOUNDS.entries()) {
          below += buckets[index] ?? 0
          lines.push(`${NAME}_bucket{le="${bound}",${labels}} ${below}`)
        }
        lines.push(`${NAME}_bucket{le="+Inf",${labels}} ${count}`)
        lines.push(`${NAME}_sum{${labels}} ${seconds}`, `${NAME}_count{${labels}} ${count}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}
