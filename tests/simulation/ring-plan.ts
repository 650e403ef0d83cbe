import type { TestUser } from '#tests/support/factories.ts'
import { type ClockedMarket, type Device, ownDevice, ownNumber } from './clocked-market.ts'
import { DAY, END, type Mixed, offerTask } from './mixed-honest.ts'

export type Plan = {
  market: ClockedMarket
  mixed: Mixed
  name: string
  sharedAccount: string
  manner: Manner
}
/** Plans a ring of a market with the mixed crowd. `sharedAccount` is a payout account that some of the rings use together. */
export type MixedRing = (market: ClockedMarket, mixed: Mixed, name: string, sharedAccount: string) => void

/** How a ring passes its coins on. */
export type Manner = {
  /** The longest time from a task to its work, and from the work to its approval, in hours. */
  hours: number
  /** Whether the accomplices do tasks together, or each their own. */
  together: boolean
  /** Slots of each of its tasks that honest workers take. */
  strangers: number
  /** Whether most coins are bonuses. */
  tips: boolean
  /** Whether the accomplices are paid to one account, and the buyers pay with one card. */
  oneAccount: boolean
  oneCard: boolean
}

const anyManner = (market: ClockedMarket): Manner => ({
  hours: market.pick([0, 0.2, 3, 10]),
  together: market.chance(0.4),
  strangers: 0,
  tips: market.chance(0.3),
  oneAccount: market.chance(0.4),
  oneCard: market.chance(0.5),
})

/** Plans a ring with a manner of its own, or with this one. */
export const ring =
  (plan: (plan: Plan) => void, manner: Partial<Manner> = {}): MixedRing =>
  (market, mixed, name, sharedAccount) =>
    plan({ market, mixed, name, sharedAccount, manner: { ...anyManner(market), ...manner } })

export function member({ market, name }: Plan, role: 'Buyer' | 'Worker', device?: Device): Promise<TestUser> {
  return market.join(role, [device ?? ownDevice(market)], name)
}

/** Behind a carrier's address, or one of their own. */
export function anyDevice({ market, mixed }: Plan): Device {
  const own = ownDevice(market)
  return market.chance(0.5) ? { ...own, network: market.pick(mixed.carriers).network } : own
}

export async function many(count: number, make: () => Promise<TestUser>): Promise<TestUser[]> {
  const made: TestUser[] = []
  for (let index = 0; index < count; index++) made.push(await make())
  return made
}

type Drain = { days?: number; honest?: number; pieces?: number }

/** The coins that a buyer has go to these workers in pieces over some days, but for a share that goes to honest workers. */
export function drain(
  plan: Plan,
  buyer: TestUser,
  workers: TestUser[],
  { days = 3, honest = 0, pieces = 4 }: Drain = {},
): void {
  const { market, mixed, manner } = plan
  market.at(market.hour + 1, async () => {
    const all = Math.floor((await market.balance(buyer)) * 0.88)
    const toHonest = Math.floor(all * honest)
    const strangers = manner.together ? manner.strangers / workers.length : manner.strangers
    const reward = Math.floor((all - toHonest) / (workers.length * pieces * (1 + strangers)))
    const groups = manner.together ? [workers] : workers.map((worker) => [worker])
    for (let piece = 0; reward > 0 && piece < pieces; piece++)
      for (const group of groups)
        market.at(market.hour + (days * DAY * piece) / pieces + market.between(1, 10), () =>
          passOn(plan, buyer, group, reward),
        )
    for (let spent = 0; spent < toHonest; ) {
      const [pay, slots] = [market.between(5, 12), market.between(3, 7)]
      spent += pay * slots
      market.at(market.hour + market.random() * days * DAY, () =>
        offerTask(market, mixed, buyer, { reward: pay, slots }),
      )
    }
  })
}

/** A task of one slot for each of these workers, which they do, and the buyer approves. */
async function passOn(
  { market, mixed, manner }: Plan,
  buyer: TestUser,
  workers: TestUser[],
  coins: number,
): Promise<void> {
  const [reward, tip] = manner.tips && coins > 6 ? [5, coins - 5] : [coins, 0]
  if (manner.strangers > 0) {
    await offerTask(market, mixed, buyer, {
      reward,
      slots: workers.length + manner.strangers,
      also: workers,
      hours: manner.hours,
    })
    return
  }
  const task = await market.post(buyer, reward, workers.length)
  if (task === null) return
  for (const worker of workers)
    market.at(market.hour + manner.hours * market.random(), async () => {
      const submission = await market.submit(worker, task)
      if (submission === null) return
      market.at(market.hour + manner.hours * market.random(), async () => {
        await market.approve(buyer, submission)
        if (tip > 0) await market.tip(buyer, submission, tip)
      })
    })
}

/** Work that a member does for honest buyers, beside others. */
export function moonlight({ market, mixed }: Plan, worker: TestUser, coins: number, until: number): void {
  for (let earned = 0; earned < coins; ) {
    const reward = market.between(4, 12)
    earned += reward
    market.at(market.hour + market.random() * (until - market.hour), async () => {
      const buyer = market.pick(mixed.buyers)
      if (buyer === undefined) return
      await offerTask(market, mixed, buyer, { reward, slots: market.between(2, 5), also: [worker] })
    })
  }
}

/** Each of these workers asks for payouts until nothing is left. */
export function cashOut({ market, sharedAccount, manner }: Plan, workers: TestUser[], hour: number): void {
  for (const worker of workers) {
    const account = manner.oneAccount ? sharedAccount : ownNumber(market)
    market.at(hour + market.between(0, 8), () =>
      market.withdraw(worker, account, Math.min(END, hour + 4 * DAY)),
    )
  }
}

export const largest = ({ mixed }: Plan) =>
  mixed.offers.toSorted((one, other) => other.coins - one.coins)[0] as Mixed['offers'][number]

/** Buyers who each take the largest package and pass it on. */
export async function spend(
  plan: Plan,
  buyers: TestUser[],
  workers: TestUser[],
  { days = 3, honest = 0, pieces = 4 }: Drain = {},
): Promise<void> {
  const { market, manner, name } = plan
  for (const buyer of buyers) {
    await market.buy(buyer, largest(plan), manner.oneCard ? `card of ${name}` : `card of ${buyer.id}`)
    drain(plan, buyer, workers, { days, honest, pieces: Math.ceil(pieces / buyers.length) })
  }
}
