import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { openClocked } from './clocked-market.ts'
import { TOWNS, type Town } from './honest.ts'
import { missedIn, printReport, type Run, verdictsOf } from './report.ts'
import { simulate } from './simulate.ts'

/** `npm run simulate` runs every kind of market with these seeds, and prints what `npm test` only asserts. */
const SEEDS = Number(process.env.SIMULATE_SEEDS ?? 0)
const FIRST_SEED = Number(process.env.SIMULATE_FROM ?? 1)
const MARKETS = (process.env.SIMULATE_TOWNS ?? 'city,small town,carrier,launch,regulars').split(',')

const planned =
  SEEDS === 0 ? [{ market: 'short', seed: 7, recommended: false }] : MARKETS.flatMap(ofEverySeed)
const runs: Run[] = []

for (const { market, seed, recommended } of planned) {
  describe(`the ${market} market with seed ${seed}${recommended ? ' and recommended settings' : ''}`, () => {
    const db = useDatabase()

    test('stops rings before their first payout, and lets honest workers be paid', async () => {
      const clocked = openClocked(db.url)
      try {
        const outcome = await simulate(clocked, TOWNS[market] as Town, seed, { recommended })
        const run = { market, seed, recommended, outcome }
        runs.push(run)
        if (SEEDS > 0) return
        const { rings, honest } = verdictsOf([run])
        assert.ok(rings.total >= 8 && honest.total >= 3, JSON.stringify({ rings, honest }))
        assert.ok(rings.stopped >= rings.total * 0.85, missedIn(outcome))
        assert.equal(honest.stopped, 0, missedIn(outcome))
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
