import type { TestUser } from '#tests/support/factories.ts'
import type { Device } from './clocked-market.ts'
import { ownDevice } from './clocked-market.ts'
import { DAY } from './mixed-honest.ts'
import {
  anyDevice,
  cashOut,
  drain,
  largest,
  type Manner,
  type MixedRing,
  many,
  member,
  moonlight,
  ring,
  spend,
} from './ring-plan.ts'

/** Starting coins of many buyers go to a few workers of one address. */
const farm = ring((plan) => {
  const { market } = plan
  const start = market.between(10, 60) * DAY
  const device = ownDevice(market)
  market.at(start, async () => {
    const workers = await many(market.between(1, 2), () => member(plan, 'Worker', device))
    for (let index = 0; index < market.between(9, 13); index++)
      market.at(start + index * 4, async () => {
        const buyer = await member(plan, 'Buyer', device)
        drain(plan, buyer, [workers[index % workers.length] as TestUser], {
          days: 1,
          pieces: market.between(1, 3),
        })
      })
    cashOut(plan, workers, start + 5 * DAY)
  })
})

/** The same with accounts of 60 days, addresses of their own, and honest work beside it. */
const patientFarm = ring((plan) => {
  const { market } = plan
  market.at(market.between(0, 2 * DAY), async () => {
    const workers = await many(market.between(1, 2), () => member(plan, 'Worker', anyDevice(plan)))
    for (const worker of workers) moonlight(plan, worker, market.between(50, 130), 60 * DAY)
    for (let index = 0; index < market.between(7, 11); index++)
      market.at(market.between(0, 4) * DAY, async () => {
        const buyer = await member(plan, 'Buyer')
        market.at(market.between(60, 65) * DAY, async () =>
          drain(plan, buyer, [workers[index % workers.length] as TestUser], { days: 3, pieces: 3 }),
        )
      })
    cashOut(plan, workers, market.between(69, 70) * DAY)
  })
})

/** A buyer and their workers behind one address. */
const oneNetwork = ring((plan) => {
  const { market } = plan
  const start = market.between(25, 60) * DAY
  const device = ownDevice(market)
  market.at(start, async () => {
    const workers = await many(market.between(2, 3), () => member(plan, 'Worker', device))
    const buyers = await many(1, () => member(plan, 'Buyer', device))
    await spend(plan, buyers, workers, { days: 4, pieces: market.between(3, 20) })
    cashOut(plan, workers.slice(0, 2), start + 6 * DAY)
  })
})

type Sizes = { workers?: [number, number]; buyers?: [number, number] }

/** Accounts of 60 days without anything in common. */
const agedAccounts = (manner: Partial<Manner> = {}, sizes: Sizes = {}) =>
  ring((plan) => {
    const { market } = plan
    const { workers: most = [2, 5], buyers: payers = [1, 2] } = sizes
    market.at(market.between(0, 2 * DAY), async () => {
      const workers = await many(market.between(...most), () => member(plan, 'Worker'))
      const buyers = await many(market.between(...payers), () => member(plan, 'Buyer', anyDevice(plan)))
      const start = market.between(60, 63) * DAY
      for (const worker of workers) moonlight(plan, worker, market.between(30, 120), start)
      const [pieces, honest] = [market.between(3, 12), market.pick([0, 0.3])]
      market.at(start, () => spend(plan, buyers, workers, { days: 5, pieces, honest }))
      cashOut(plan, workers, start + 7 * DAY)
    })
  }, manner)

/** A stolen card: its holder disputes the payment before the payouts. */
const disputed = ring((plan) => {
  const { market } = plan
  const start = market.between(20, 60) * DAY
  market.at(start, async () => {
    const workers = await many(2, () => member(plan, 'Worker'))
    const buyer = await member(plan, 'Buyer')
    const offer = largest(plan)
    const payment = await market.buy(buyer, offer, `stolen ${buyer.id}`)
    drain(plan, buyer, workers, { days: 1, honest: market.pick([0, 0.3, 0.5]), pieces: 3 })
    cashOut(plan, workers, start + 60)
    market.at(start + 58, () => market.dispute(buyer, payment, offer.cents))
  })
})

/** A worker earns the coins of a package, becomes a buyer and passes them on to another worker. */
const middleman = ring((plan) => {
  const { market } = plan
  const start = market.between(10, 40) * DAY
  market.at(start, async () => {
    const middle = await member(plan, 'Worker', anyDevice(plan))
    const workers = await many(market.between(1, 2), () => member(plan, 'Worker'))
    const buyers = await many(1, () => member(plan, 'Buyer'))
    for (const worker of workers) moonlight(plan, worker, market.between(60, 200), start + 20 * DAY)
    await spend(plan, buyers, [middle], { days: 4, honest: market.pick([0, 0.3]) })
    market.at(start + 8 * DAY, async () => {
      await market.changeRole(middle, 'Buyer')
      const honest = market.pick([0, 0.3, 0.5])
      drain(plan, { ...middle, role: 'Buyer' }, workers, { days: 6, honest, pieces: 8 })
    })
    cashOut(plan, workers, start + 20 * DAY)
  })
})

/** The buyers pay honest workers too, and the ring's workers earn as much honestly. */
const dilution = (manner: Partial<Manner> = {}) =>
  ring((plan) => {
    const { market } = plan
    const start = market.between(5, 30) * DAY
    market.at(start, async () => {
      const workers = await many(market.between(2, 3), () => member(plan, 'Worker', anyDevice(plan)))
      const buyers = await many(market.between(1, 2), () => member(plan, 'Buyer', anyDevice(plan)))
      for (const worker of workers) moonlight(plan, worker, market.between(80, 220), start + 20 * DAY)
      const honest = plan.manner.strangers > 0 ? 0 : 0.3 + 0.4 * market.random()
      await spend(plan, buyers, workers, { days: 15, honest, pieces: 15 })
      cashOut(plan, workers, start + 22 * DAY)
    })
  }, manner)

/** Arbitrage behind an address that most users have. */
const carrier = ring((plan) => {
  const { market } = plan
  const start = market.between(15, 60) * DAY
  market.at(start, async () => {
    const device = plan.mixed.carriers[0] as Device
    const workers = await many(market.between(1, 3), () => member(plan, 'Worker', device))
    const buyers = await many(1, () => member(plan, 'Buyer', device))
    await spend(plan, buyers, workers, { days: 3, pieces: market.between(2, 20) })
    cashOut(plan, workers.slice(0, 2), start + 5 * DAY)
  })
})

export const MIXED_RINGS: Record<string, MixedRing> = {
  farm,
  'patient farm': patientFarm,
  'one network': oneNetwork,
  'aged accounts': agedAccounts(),
  'dispute before payout': disputed,
  middleman,
  dilution: dilution(),
  carrier,
}

/** Nothing in common but the coins, and no haste. */
const CAREFUL: Partial<Manner> = { hours: 20, tips: false, oneAccount: false, oneCard: false }

/** Rings whose members know how the score is computed (docs/economy.md#rings-that-know-the-score). */
export const CAREFUL_RINGS: Record<string, MixedRing> = {
  'two of four slots for others': dilution({ ...CAREFUL, together: true, strangers: 2 }),
  'one slot for others': dilution({ ...CAREFUL, together: true, strangers: 1 }),
  'eight workers': agedAccounts({ ...CAREFUL, together: false }, { workers: [8, 8] }),
  'four buyers, eight workers': agedAccounts(CAREFUL, { workers: [8, 8], buyers: [4, 4] }),
  'half honest': dilution({ ...CAREFUL, together: false }),
}
