import { RINGS } from './rings.ts'
import { type Outcome, recommendedValue } from './simulate.ts'

/** One simulated market, with the default settings or the recommended ones. */
export type Run = { market: string; seed: number; recommended: boolean; outcome: Outcome }

const REVIEW_SCORE = recommendedValue('risk').reviewScore ?? 100

/** Counts the requests that the recommended score stops, of rings and of honest workers. */
export function verdictsOf(runs: Run[]) {
  const first: Outcome['requests'] = []
  for (const { outcome } of runs) {
    const seen = new Set<string>()
    for (const request of outcome.requests) {
      if (request.ring !== null && !seen.has(request.worker.id)) first.push(request)
      seen.add(request.worker.id)
    }
  }
  const requests = runs.flatMap(({ outcome }) => outcome.requests)
  return {
    rings: countStopped(requests.filter(({ ring }) => ring !== null)),
    first: countStopped(first),
    honest: countStopped(requests.filter(({ ring }) => ring === null)),
  }
}

const countStopped = (requests: Outcome['requests']) => ({
  total: requests.length,
  stopped: requests.filter(({ score }) => score >= REVIEW_SCORE).length,
})

/** Lists the requests that were judged wrongly. */
export function missedIn({ requests }: Outcome): string {
  return requests
    .filter(({ ring, score }) => (ring === null) === score >= REVIEW_SCORE)
    .map(({ ring, score, reasons }) => `\n  ${ring ?? 'honest'}: ${score} (${reasons.join(', ')})`)
    .join('')
}

/** Prints detection by market, the profit of each kind of ring, and how long honest workers wait for their first payout. */
export function printReport(runs: Run[], markets: string[]): void {
  const both = (select: (recommended: boolean) => Run[]) =>
    [false, true].map(
      (recommended) => [recommended ? 'recommended' : 'default', select(recommended)] as const,
    )
  console.table(
    markets.flatMap((market) =>
      both((recommended) =>
        runs.filter((run) => run.market === market && run.recommended === recommended),
      ).map(([settings, of]) => {
        const { rings, first, honest } = verdictsOf(of)
        const waits = of.flatMap(({ outcome }) => outcome.firstWaits).toSorted((one, other) => one - other)
        return {
          market,
          settings,
          'ring requests stopped': `${rings.stopped}/${rings.total}`,
          'first ones': `${first.stopped}/${first.total}`,
          'honest stopped': `${honest.stopped}/${honest.total}`,
          'longest first wait, hours': Math.round(waits.at(-1) ?? 0),
        }
      }),
    ),
  )
  console.table(
    Object.keys(RINGS).map((ring) => ({
      ring,
      ...Object.fromEntries(
        both((recommended) => runs.filter((run) => run.recommended === recommended)).map(([settings, of]) => [
          `profit, ${settings}, $`,
          Math.round(
            of.reduce((sum, { outcome }) => sum + profitOf(outcome, ring), 0) / Math.max(of.length, 1),
          ) / 100,
        ]),
      ),
      'most, recommended, $':
        Math.max(...runs.filter((run) => run.recommended).map(({ outcome }) => profitOf(outcome, ring))) /
        100,
    })),
  )
  for (const { market, seed, recommended, outcome } of runs)
    if (missedIn(outcome) !== '')
      console.log(market, seed, recommended ? 'recommended' : 'default', missedIn(outcome))
}

function profitOf({ cash }: Outcome, ring: string): number {
  const { paidIn = 0, paidOut = 0 } = cash.get(ring) ?? {}
  return paidOut - paidIn
}
