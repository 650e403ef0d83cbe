import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '#tests/load/drive/percentile.ts'

export type Experience = {
  requests: number
  p50: number
  p99: number
  slowest: number
  refused: number
  failed: number
}

type User = { email: string; token: string }

/** The bystander has a network of its own, as behind a proxy. */
const NETWORK = '203.0.113.7'
const PAUSE_MS = 50

/** Uses the marketplace as one user does, until it is stopped: reads coins and tasks, marks notifications as read. */
export function watchAs({ email, token }: User, baseUrl: string): { stop(): Promise<Experience> } {
  const stopping = new AbortController()
  const latencies: number[] = []
  let [refused, failed] = [0, 0]
  const running = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const isWrite = turn % 10 === 9
      const read = turn % 2 === 0 ? `/api/coin-role/${email}` : '/api/task-list-worker?limit=10'
      const path = isWrite ? `/api/notifications/${email}` : read
      const began = performance.now()
      const status = await fetch(baseUrl + path, {
        method: isWrite ? 'PATCH' : 'GET',
        headers: {
          authorization: `Bearer ${token}`,
          'x-forwarded-for': NETWORK,
          ...(isWrite && { 'content-type': 'application/json' }),
        },
        ...(isWrite && { body: '{}' }),
        signal: AbortSignal.timeout(30_000),
      }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      latencies.push(performance.now() - began)
      if (status === 429 || status === 503) refused++
      else if (status !== 200) failed++
      await sleep(PAUSE_MS)
    }
  })()

  return {
    async stop() {
      stopping.abort()
      await running
      const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => Math.round(at(latencies, share)))
      return {
        requests: latencies.length,
        p50: p50 ?? 0,
        p99: p99 ?? 0,
        slowest: slowest ?? 0,
        refused,
        failed,
      }
    },
  }
}
