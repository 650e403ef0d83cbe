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
  const honest = requests.filter(({ ring }) => ring === null)
  return {
    rings: countStopped(requests.filter(({ ring }) => ring !== null)),
    first: countStopped(first),
    honest: countStopped(honest),
    byNetwork: countStopped(honest.filter(needsNetwork)).stopped,
  }
}

/** Whether a request has the score only because of a shared network. */
function needsNetwork({ reasons }: Outcome['requests'][number]): boolean {
  const others = reasons.filter(({ kind }) => kind !== 'shared_network')
  return others.reduce((sum, { points }) => sum + points, 0) < REVIEW_SCORE
}

const countStopped = (requests: Outcome['requests']) => ({
  total: requests.length,
  stopped: requests.filter(({ score }) => score >= REVIEW_SCORE).length,
})

/** Lists the requests that were judged wrongly. */
export function missedIn({ requests }: Outcome): string {
  return requests
    .filter(({ ring, score }) => (ring === null) === score >= REVIEW_SCORE)
    .map(({ ring, score, reasons }) => {
      const listed = reasons.map(({ kind, points }) => `${kind} ${points}`)
      return `\n  ${ring ?? 'honest'}: ${score} (${listed.join(', ')})`
    })
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
        const { rings, first, honest, byNetwork } = verdictsOf(of)
        const waits = of.flatMap(({ outcome }) => outcome.firstWaits).toSorted((one, other) => one - other)
        return {
          market,
          settings,
          'ring requests stopped': `${rings.stopped}/${rings.total}`,
          'first ones': `${first.stopped}/${first.total}`,
          'honest stopped': `${honest.stopped}/${honest.total}`,
          'by a network': byNetwork,
          'longest first wait, hours': Math.round(waits.at(-1) ?? 0),
        }
      }),
    ),
  )
  console.table(
    both((recommended) => runs.filter((run) => run.recommended === recommended)).flatMap(([settings, of]) =>
      ringsOf(of).map((ring) => {
        const profits = of.flatMap(({ outcome }) => profitOf(outcome, ring) ?? [])
        const requests = of.flatMap(({ outcome }) =>
          outcome.requests.filter((request) => request.ring === ring),
        )
        const { total, stopped } = countStopped(requests)
        return {
          ring,
          settings,
          'requests stopped': `${stopped}/${total}`,
          'profit, mean, $': dollars(profits.reduce((sum, profit) => sum + profit, 0) / profits.length),
          'highest, $': dollars(Math.max(...profits)),
        }
      }),
    ),
  )
  for (const { market, seed, recommended, outcome } of runs)
    if (missedIn(outcome) !== '')
      console.log(market, seed, recommended ? 'recommended' : 'default', missedIn(outcome))
}

const ringsOf = (runs: Run[]) => [
  ...new Set(runs.flatMap(({ outcome }) => outcome.requests.flatMap(({ ring }) => ring ?? []))),
]

const dollars = (cents: number) => Math.round(cents) / 100

/** Returns the cents that a ring got out beyond what it paid in, with the pay for honest work; null: it is not in the market. */
export function profitOf({ cash }: Outcome, ring: string): number | null {
  const of = cash.get(ring)
  return of === undefined ? null : of.paidOut - of.paidIn
}
