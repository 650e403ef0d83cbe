import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { openClocked } from './clocked-market.ts'
import { TOWNS, type Town } from './honest.ts'
import { type Outcome, recommendedValue, simulate } from './simulate.ts'

/** `npm run simulate` runs every kind of market with these seeds, and prints what `npm test` only asserts. */
const SEEDS = Number(process.env.SIMULATE_SEEDS ?? 0)
const FIRST_SEED = Number(process.env.SIMULATE_FROM ?? 1)
const MARKETS = (process.env.SIMULATE_TOWNS ?? 'city,small town,carrier,launch,regulars').split(',')
const REVIEW_SCORE = recommendedValue('risk').reviewScore ?? 100

type Run = { market: string; seed: number; outcome: Outcome }

const runs = SEEDS === 0 ? [{ market: 'short', seed: 7 }] : MARKETS.flatMap(ofEverySeed)
const finished: Run[] = []

for (const { market, seed } of runs) {
  describe(`the ${market} market with seed ${seed}`, () => {
    const db = useDatabase()

    test('stops rings before their first payout, and lets honest workers be paid', async () => {
      const clocked = openClocked(db.url)
      try {
        const outcome = await simulate(clocked, TOWNS[market] as Town, seed)
        finished.push({ market, seed, outcome })
        if (SEEDS > 0) return
        const { rings, honest } = verdicts([{ market, seed, outcome }])
        assert.ok(rings.total >= 8 && honest.total >= 8, JSON.stringify({ rings, honest }))
        assert.ok(rings.stopped >= rings.total * 0.85, describeMissed(outcome))
        assert.ok(honest.stopped <= honest.total * 0.05, describeMissed(outcome))
      } finally {
        await clocked.close()
      }
    })
  })
}

if (SEEDS > 0)
  after(() => {
    const table = MARKETS.map((market) => {
      const { rings, honest } = verdicts(finished.filter((run) => run.market === market))
      return {
        market,
        rings: `${rings.stopped}/${rings.total}`,
        'first payout': `${rings.firstStopped}/${rings.firstTotal}`,
        honest: `${honest.stopped}/${honest.total}`,
      }
    })
    console.table(table)
    for (const { market, seed, outcome } of finished) console.log(market, seed, describeMissed(outcome))
  })

function ofEverySeed(market: string) {
  return Array.from({ length: SEEDS }, (_, index) => ({ market, seed: FIRST_SEED + index }))
}

function verdicts(of: Run[]) {
  const requests = of.flatMap(({ outcome }) => outcome.requests)
  const count = (list: typeof requests) => ({
    total: list.length,
    stopped: list.filter(({ score }) => score >= REVIEW_SCORE).length,
  })
  const seen = new Set<string>()
  const first = requests.filter(({ worker, ring }) => {
    const isFirst = ring !== null && !seen.has(worker.id)
    seen.add(worker.id)
    return isFirst
  })
  const { total: firstTotal, stopped: firstStopped } = count(first)
  return {
    rings: { ...count(requests.filter(({ ring }) => ring !== null)), firstTotal, firstStopped },
    honest: count(requests.filter(({ ring }) => ring === null)),
  }
}

/** Lists the requests that were judged wrongly. */
function describeMissed({ requests }: Outcome): string {
  return requests
    .filter(({ ring, score }) => (ring === null) === score >= REVIEW_SCORE)
    .map(({ ring, score, reasons }) => `\n  ${ring ?? 'honest'}: ${score} (${reasons.join(', ')})`)
    .join('')
}
