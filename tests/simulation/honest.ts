import type { TestUser } from '#tests/support/factories.ts'
import { type ClockedMarket, type Device, ownDevice, ownNumber, type Package } from './clocked-market.ts'

/** A marketplace of honest users. */
export type MarketSettings = {
  workers: number
  buyers: number
  days: number
  /** The days in which users join. */
  joinDays: number
  /** The share of users behind addresses of a mobile carrier, and how many of these there are. */
  carrierShare: number
  carriers: number
  /** Families: two or three workers with one phone, one address and one payout account. */
  families: number
  /** How much a buyer prefers the workers they know: 0 to 1. */
  loyalty: number
}

export const MARKETS: Record<string, MarketSettings> = {
  short: {
    workers: 14,
    buyers: 8,
    days: 34,
    joinDays: 8,
    carrierShare: 0.4,
    carriers: 2,
    families: 1,
    loyalty: 0.2,
  },
  city: {
    workers: 29,
    buyers: 8,
    days: 45,
    joinDays: 20,
    carrierShare: 0.3,
    carriers: 4,
    families: 1,
    loyalty: 0.2,
  },
  'small town': {
    workers: 9,
    buyers: 3,
    days: 45,
    joinDays: 10,
    carrierShare: 1,
    carriers: 2,
    families: 2,
    loyalty: 0.1,
  },
  carrier: {
    workers: 30,
    buyers: 8,
    days: 40,
    joinDays: 15,
    carrierShare: 0.75,
    carriers: 2,
    families: 2,
    loyalty: 0.2,
  },
  launch: {
    workers: 25,
    buyers: 9,
    days: 18,
    joinDays: 4,
    carrierShare: 0.4,
    carriers: 3,
    families: 1,
    loyalty: 0,
  },
  regulars: {
    workers: 24,
    buyers: 8,
    days: 45,
    joinDays: 20,
    carrierShare: 0.2,
    carriers: 4,
    families: 1,
    loyalty: 0.7,
  },
}

/** What rings need of the marketplace that they hide in. */
export type Crowd = {
  settings: MarketSettings
  workers: TestUser[]
  carriers: Device[]
  /** Offers a task to honest workers, who take some of its slots. */
  offer(task: string, buyer: TestUser, slots: number): void
}

/** Fills a market with honest users who join, post, work and withdraw on their own. */
export function populate(
  market: ClockedMarket,
  settings: MarketSettings,
  pickPackage: (market: ClockedMarket) => Package,
): Crowd {
  const workers: TestUser[] = []
  const known = new Map<string, TestUser[]>()
  const activity = new Map<string, number>()
  const carriers = Array.from({ length: settings.carriers }, () => ownDevice(market))
  const hours = settings.days * 24
  const device = () => {
    const own = ownDevice(market)
    return market.chance(settings.carrierShare) ? { ...own, network: market.pick(carriers).network } : own
  }

  function addWorker(at: number, devices: Device[], account: string) {
    market.at(at, async () => {
      const worker = await market.join('Worker', devices)
      workers.push(worker)
      activity.set(worker.id, 0.2 + 2 * market.random() ** 2)
      const goal = 200 + market.between(0, 8) * 25
      const withdraw = async () => {
        const balance = await market.balance(worker)
        if (balance >= goal) await market.withdraw(worker, account, hours, market.chance(0.5))
        if (market.hour + 48 < hours) market.at(market.hour + market.between(24, 72), withdraw)
      }
      market.at(market.hour + market.between(24, 72), withdraw)
    })
  }

  function offer(task: string, buyer: TestUser, slots: number): void {
    const takers = [...workers].sort((one, other) => interest(buyer, other) - interest(buyer, one))
    for (const worker of takers.slice(0, slots)) {
      if (worker.id === buyer.id) continue
      market.at(market.hour + market.between(1, 40), async () => {
        const submission = await market.submit(worker, task)
        if (submission === null || market.chance(0.04)) return
        market.at(market.hour + market.between(1, 48), async () => {
          await market.approve(buyer, submission)
          known.set(buyer.id, [...(known.get(buyer.id) ?? []), worker])
          if (market.chance(0.03)) await market.tip(buyer, submission, market.between(1, 10))
        })
      })
    }
  }
  const interest = (buyer: TestUser, worker: TestUser) => {
    const bonus = known.get(buyer.id)?.includes(worker) ? settings.loyalty : 0
    return (activity.get(worker.id) ?? 0) * market.random() + 2 * bonus
  }

  function addBuyer(at: number) {
    market.at(at, async () => {
      const buyer = await market.join('Buyer', [device()])
      const pay = 2 + market.between(0, 12) + (market.chance(0.1) ? 30 : 0)
      const card = `card_${buyer.id}`
      const post = async () => {
        const slots = market.between(2, Math.max(3, Math.floor(settings.workers / 2)))
        if ((await market.balance(buyer)) < pay * slots && market.chance(0.8)) {
          const bought = pickPackage(market)
          const payment = await market.buy(buyer, bought, card)
          if (market.chance(0.01)) {
            market.at(market.hour + market.between(48, 400), () =>
              market.dispute(buyer, payment, bought.cents),
            )
          }
        }
        const task = await market.post(buyer, pay, slots)
        if (task !== null) offer(task, buyer, slots)
        if (market.hour + 72 < hours) market.at(market.hour + market.between(12, 72), post)
      }
      await post()
    })
  }

  const joining = () => market.between(0, settings.joinDays * 24)
  for (let index = 0; index < settings.buyers; index++) addBuyer(joining())
  let left = settings.workers
  for (let index = 0; index < settings.families; index++) {
    const [home, account, size] = [device(), ownNumber(market), market.between(2, 3)]
    for (let member = 0; member < size; member++) addWorker(joining(), [home], account)
    left -= size
  }
  for (let index = 0; index < left; index++) addWorker(joining(), [device()], ownNumber(market))
  return { settings, workers, carriers, offer }
}
