import type { TestUser } from '#tests/support/factories.ts'
import { type ClockedMarket, type Device, ownDevice, ownNumber, type Package } from './clocked-market.ts'
import type { Crowd } from './honest.ts'

/** What the rings of one market share: packages, and a payout account that some of them use together. */
export type RingWorld = { crowd: Crowd; largest: Package; sharedAccount: string }

/** Plans a ring. `name` marks its users. */
type Ring = (market: ClockedMarket, world: RingWorld, name: string) => void

const HOURS = 24
/** How long a ring tries to get its coins out. */
const PATIENCE = 12 * HOURS

/** Where the users of a ring sign in: together, each alone, or behind a carrier like everybody. */
function devices(market: ClockedMarket, { crowd }: RingWorld): () => Device[] {
  const home = ownDevice(market)
  const way = market.between(0, 2)
  return () => {
    if (way === 0) return [home]
    const own = ownDevice(market)
    return [way === 1 ? own : { ...own, network: market.pick(crowd.carriers).network }]
  }
}

const account = (market: ClockedMarket, world: RingWorld) =>
  market.chance(0.4) ? world.sharedAccount : ownNumber(market)

/** Starting coins of many buyers go to one or two workers. `patient`: the accounts are older than a week. */
const farm =
  (patient: boolean): Ring =>
  (market, world, name) => {
    const at = devices(market, world)
    const start = market.between(1, patient ? 5 : world.crowd.settings.days - 8) * HOURS
    const size = market.between(5, 9)
    const workers: TestUser[] = []
    const buyers: TestUser[] = []
    const joins = patient ? 20 * HOURS : 30
    for (let index = 0; index < (size > 7 ? 2 : 1); index++)
      market.at(start + market.between(0, joins), async () => {
        workers.push(await market.join('Worker', at(), name))
      })
    for (let index = 0; index < size; index++)
      market.at(start + market.between(0, joins), async () => {
        buyers.push(await market.join('Buyer', at(), name))
      })
    const payout = account(market, world)
    const begin = Math.min(start + joins + (patient ? 9 * HOURS : 2), (world.crowd.settings.days - 3) * HOURS)
    market.at(begin, async () => {
      for (const buyer of buyers) {
        const slices = market.pick([[50], [25, 25], [10, 10, 10, 20]])
        const worker = market.pick(workers)
        if (worker === undefined) continue
        for (const reward of slices)
          market.at(market.hour + market.between(1, patient ? 60 : 12), () =>
            market.work(buyer, worker, reward),
          )
      }
      for (const worker of workers)
        market.at(market.hour + (patient ? 62 : 14), async () => {
          await market.withdraw(worker, payout, market.hour + PATIENCE)
        })
    })
  }

type Purchase = {
  /** Days from joining to the purchase. */
  age: number
  /** Workers who are paid. */
  workers: number
  sameNetwork: boolean
  /** The share of the buyer's coins that go to honest workers. */
  honestShare: number
  /** Whether the ring's workers also do the work of others. */
  works: boolean
  disputes: boolean
  /** Buyers who pay with one card. */
  buyers: number
  /** Whether the coins are paid as bonuses for small tasks. */
  tips: boolean
}

/** A buyer takes the cheapest package and pays their own workers, who withdraw. */
const purchase =
  (kind: Purchase): Ring =>
  (market, world, name) => {
    const home = ownDevice(market)
    const way = devices(market, world)
    const at = () => (kind.sameNetwork ? [home] : way())
    const lastDay = world.crowd.settings.days - 6 - kind.age
    const start = market.between(0, Math.max(1, lastDay)) * HOURS
    const workers: TestUser[] = []
    const payouts = Array.from({ length: kind.workers }, () => account(market, world))
    for (let index = 0; index < kind.workers; index++)
      market.at(start + market.between(0, 20), async () => {
        const worker = await market.join('Worker', at(), name)
        workers.push(worker)
        if (kind.works) world.crowd.workers.push(worker)
      })
    const card = `card_${name}_${start}`
    const addBuyer = async () => {
      const buyer = await market.join('Buyer', at(), name)
      market.at(market.hour + 24 + kind.age * HOURS, async () => {
        const payment = await market.buy(buyer, world.largest, card)
        const honest = Math.floor(world.largest.coins * kind.honestShare)
        for (let spent = 0; spent < honest; ) {
          const [reward, slots] = [market.between(5, 15), market.between(4, 8)]
          const task = await market.post(buyer, reward, slots)
          if (task === null) break
          world.crowd.offer(task, buyer, slots)
          spent += reward * slots
        }
        const reward = market.pick([20, 50, 100, 200])
        const times = Math.floor((world.largest.coins - honest) / reward)
        for (let time = 0; time < times; time++)
          market.at(market.hour + market.between(1, 40), () =>
            market.work(buyer, workers[time % workers.length] as TestUser, reward, kind.tips),
          )
        for (const [index, worker] of workers.entries())
          market.at(market.hour + 45, async () => {
            await market.withdraw(worker, payouts[index] as string, market.hour + PATIENCE)
          })
        if (kind.disputes)
          market.at(market.hour + 45 + 72, () => market.dispute(buyer, payment, world.largest.cents))
      })
    }
    for (let index = 0; index < kind.buyers; index++) market.at(start + market.between(0, 20), addBuyer)
  }

const PLAIN: Purchase = {
  age: 0,
  workers: 1,
  sameNetwork: false,
  honestShare: 0,
  works: false,
  disputes: false,
  buyers: 1,
  tips: false,
}

/** The coins go through a worker who becomes a buyer and pays somebody else. */
const middleman: Ring = (market, world, name) => {
  const at = devices(market, world)
  const start = market.between(0, Math.max(1, world.crowd.settings.days - 12)) * HOURS
  const payout = account(market, world)
  market.at(start, async () => {
    const buyer = await market.join('Buyer', at(), name)
    const middle = await market.join('Worker', at(), name)
    const worker = await market.join('Worker', at(), name)
    market.at(market.hour + 48, async () => {
      await market.buy(buyer, world.largest)
      for (let time = 0; time < 10; time++)
        market.at(market.hour + market.between(1, 20), () => market.work(buyer, middle, 100))
      market.at(market.hour + 30, async () => {
        await market.changeRole(middle, 'Buyer')
        const second = { ...middle, role: 'Buyer' as const }
        for (let time = 0; time < 10; time++)
          market.at(market.hour + market.between(1, 60), () => market.work(second, worker, 100))
        market.at(market.hour + 70, async () => {
          await market.withdraw(worker, payout, market.hour + PATIENCE)
        })
      })
    })
  })
}

/** A buyer buys coins, becomes a worker and withdraws them. */
const ownPurchase: Ring = (market, world, name) => {
  const at = devices(market, world)
  market.at(market.between(0, world.crowd.settings.days - 6) * HOURS, async () => {
    const buyer = await market.join('Buyer', at(), name)
    await market.buy(buyer, world.largest)
    market.at(market.hour + 30, async () => {
      await market.changeRole(buyer, 'Worker')
      const worker = { ...buyer, role: 'Worker' as const }
      await market.withdraw(worker, account(market, world), market.hour + PATIENCE)
    })
  })
}

export const RINGS: Record<string, Ring> = {
  farm: farm(false),
  'patient farm': farm(true),
  'arbitrage, one network': purchase({ ...PLAIN, sameNetwork: true }),
  'arbitrage, aged accounts': purchase({ ...PLAIN, age: 14, workers: 2 }),
  'dispute after payout': purchase({ ...PLAIN, disputes: true }),
  middleman,
  dilution: purchase({ ...PLAIN, age: 8, honestShare: 0.35, works: true }),
  'role change': ownPurchase,
  'one buyer, three workers': purchase({ ...PLAIN, age: 10, workers: 3 }),
  'three buyers, one card': purchase({ ...PLAIN, age: 3, workers: 2, buyers: 3 }),
  bonuses: purchase({ ...PLAIN, age: 5, tips: true }),
  'half honest': purchase({ ...PLAIN, age: 10, honestShare: 0.5 }),
}
