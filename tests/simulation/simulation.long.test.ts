import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { openClocked } from './clocked-market.ts'
import { missedIn, printReport, profitOf, type Run, verdictsOf } from './report.ts'
import { simulate } from './simulate.ts'

/** `npm run simulate` runs every kind of market with these seeds, and prints what `npm test` only asserts. */
const SEEDS = Number(process.env.SIMULATE_SEEDS ?? 0)
const FIRST_SEED = Number(process.env.SIMULATE_FROM ?? 1)
const MARKETS = (process.env.SIMULATE_MARKETS ?? 'city,small town,carrier,launch,regulars,mixed').split(',')

const planned =
  SEEDS === 0
    ? [
        { market: 'short', seed: 7, recommended: false },
        { market: 'mixed', seed: 7, recommended: true },
      ]
    : MARKETS.flatMap(ofEverySeed)
const runs: Run[] = []

for (const { market, seed, recommended } of planned) {
  describe(`the ${market} market with seed ${seed}${recommended ? ' and recommended settings' : ''}`, () => {
    const db = useDatabase()

    test('stops rings before their first payout, and lets honest workers be paid', async () => {
      const clocked = openClocked(db.url)
      try {
        const outcome = await simulate(clocked, market, seed, { recommended })
        const run = { market, seed, recommended, outcome }
        runs.push(run)
        if (SEEDS > 0) return
        const { rings, honest, byNetwork } = verdictsOf([run])
        assert.ok(rings.total >= 8 && honest.total >= 3, JSON.stringify({ rings, honest }))
        assert.ok(rings.stopped >= rings.total * 0.85, missedIn(outcome))
        assert.ok(honest.stopped <= honest.total / 20, missedIn(outcome))
        assert.equal(byNetwork, 0)
        if (!recommended) return
        for (const ring of outcome.cash.keys()) assert.ok((profitOf(outcome, ring) ?? 0) <= 0, ring)
        assert.ok(Math.max(...outcome.firstWaits) <= 24, outcome.firstWaits.join())
      } finally {
        await clocked.close()
      }
    })
  })
}

if (SEEDS > 0) after(() => printReport(runs, MARKETS))

function ofEverySeed(market: string) {
  return Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index).flatMap((seed) =>
    [false, true].map((recommended) => ({ market, seed, recommended })),
  )
}
