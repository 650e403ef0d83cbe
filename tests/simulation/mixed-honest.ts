import type { TestUser } from '#tests/support/factories.ts'
import { type ClockedMarket, type Device, ownDevice, ownNumber } from './clocked-market.ts'

export const DAY = 24
/** The hours from the beginning of the market to its end. */
export const END = 75 * DAY
const WORKERS = 29

export type MixedWorker = {
  user: TestUser
  account: string
  /** How much they work, and the buyers they work for where they do not work for all. */
  eagerness: number
  buyers: string[] | null
  /** What they save before they ask for a payout. */
  goal: number
}

/** How a buyer buys and pays. `workers` limits whom they pay. */
type Style = {
  name: string
  purchases: number
  coins: number
  rewards: [number, number]
  slots: [number, number]
  workers: number
  from: number
  until: number
}

const BUYERS: Style[] = [
  {
    name: 'agency',
    purchases: 4,
    coins: 1000,
    rewards: [4, 12],
    slots: [6, 14],
    workers: 99,
    from: 0,
    until: 72,
  },
  {
    name: 'lab',
    purchases: 3,
    coins: 1000,
    rewards: [6, 20],
    slots: [4, 10],
    workers: 99,
    from: 4,
    until: 70,
  },
  {
    name: 'shop',
    purchases: 2,
    coins: 500,
    rewards: [5, 15],
    slots: [3, 8],
    workers: 14,
    from: 10,
    until: 72,
  },
  {
    name: 'translator',
    purchases: 2,
    coins: 500,
    rewards: [20, 45],
    slots: [1, 2],
    workers: 6,
    from: 15,
    until: 70,
  },
  {
    name: 'studio',
    purchases: 2,
    coins: 500,
    rewards: [15, 40],
    slots: [1, 1],
    workers: 3,
    from: 18,
    until: 70,
  },
  {
    name: 'once',
    purchases: 1,
    coins: 150,
    rewards: [10, 15],
    slots: [2, 4],
    workers: 4,
    from: 20,
    until: 35,
  },
  {
    name: 'again',
    purchases: 1,
    coins: 500,
    rewards: [10, 30],
    slots: [2, 5],
    workers: 5,
    from: 40,
    until: 60,
  },
  {
    name: 'newcomer',
    purchases: 1,
    coins: 500,
    rewards: [5, 15],
    slots: [4, 9],
    workers: 99,
    from: 62,
    until: 73,
  },
  {
    name: 'student',
    purchases: 1,
    coins: 100,
    rewards: [3, 6],
    slots: [3, 6],
    workers: 10,
    from: 30,
    until: 60,
  },
]

export type Mixed = {
  carriers: Device[]
  offers: { coins: number; cents: number }[]
  buyers: TestUser[]
  workers: MixedWorker[]
}

/**
 * Fills a market with 29 workers and 9 buyers of several kinds: most are behind carriers' addresses, some share a campus,
 * a flat or a phone, some work for one or two buyers only, some join late, and one becomes a buyer.
 */
export function populateMixed(market: ClockedMarket, offers: Mixed['offers']): Mixed {
  const carriers = Array.from({ length: 3 }, () => ownDevice(market))
  const campus = ownDevice(market)
  const mixed: Mixed = { carriers, offers, buyers: [], workers: [] }
  const onCarrier = () => ({ ...ownDevice(market), network: market.pick(carriers).network })
  for (const style of BUYERS) {
    const device = style.name === 'student' ? campus : market.chance(0.6) ? onCarrier() : ownDevice(market)
    market.at(style.from * DAY + market.between(0, 20), () => openShop(market, mixed, style, device))
  }
  const flats = [ownNumber(market), ownNumber(market)]
  const homes = [ownDevice(market), ownDevice(market)]
  for (let index = 0; index < WORKERS; index++) {
    const isLate = index >= 22 && index < 26
    const flat = index < 4 ? index % 2 : null
    const devices =
      flat !== null
        ? [homes[flat] as Device]
        : index < 8
          ? [{ ...ownDevice(market), network: campus.network }, onCarrier()]
          : market.chance(0.7)
            ? [onCarrier()]
            : [ownDevice(market)]
    const account = flat === null ? ownNumber(market) : (flats[flat] as string)
    market.at(isLate ? market.between(50, 64) * DAY : market.between(0, 15 * DAY), async () => {
      const user = await market.join('Worker', devices)
      const loyal = index >= 8 && index < 14
      const known =
        mixed.buyers.length === 0
          ? null
          : Array.from({ length: 1 + (index % 2) }, () => market.pick(mixed.buyers).id)
      mixed.workers.push({
        user,
        account,
        eagerness: isLate ? 4 : 0.3 + 3 * market.random() ** 2,
        buyers: loyal ? known : null,
        goal: market.pick([200, 200, 240, 300, 400]),
      })
    })
  }
  market.at(35 * DAY, () => changeSides(market, mixed))
  for (let day = 20; day < 74; day++) market.at(day * DAY + 5, () => payDay(market, mixed))
  return mixed
}

async function openShop(market: ClockedMarket, mixed: Mixed, style: Style, device: Device): Promise<void> {
  const buyer = await market.join('Buyer', [device])
  mixed.buyers.push(buyer)
  const offer = mixed.offers.find(({ coins }) => coins >= style.coins) ?? mixed.offers.at(-1)
  if (offer === undefined) return
  const span = (style.until - style.from) * DAY
  const card = `card ${buyer.id}`
  let circle: string[] | null = null
  const round = async (): Promise<void> => {
    const reward = market.between(...style.rewards)
    const slots = market.between(...style.slots)
    circle ??= style.workers > WORKERS ? null : chooseSome(market, mixed, buyer, style.workers)
    await offerTask(market, mixed, buyer, { reward, slots, circle })
    if ((await market.balance(buyer)) >= style.rewards[0] * 2 && market.hour < style.until * DAY)
      market.at(market.hour + market.between(8, 30), round)
  }
  for (let index = 0; index < style.purchases; index++)
    market.at(market.hour + 1 + (span * index) / style.purchases, async () => {
      await market.buy(buyer, offer, card)
      market.at(market.hour + market.between(1, 40), round)
    })
}

function chooseSome(market: ClockedMarket, mixed: Mixed, buyer: TestUser, count: number): string[] {
  const chosen = new Set<string>()
  for (let turn = 0; turn < count * 10 && chosen.size < count; turn++)
    chosen.add(choose(market, mixed, buyer)?.user.id ?? '')
  return [...chosen]
}

function choose(
  market: ClockedMarket,
  mixed: Mixed,
  buyer: TestUser,
  circle: string[] | null = null,
): MixedWorker | undefined {
  const fitting = mixed.workers.filter(
    ({ user, buyers }) =>
      user.id !== buyer.id && (buyers?.includes(buyer.id) ?? true) && (circle?.includes(user.id) ?? true),
  )
  let mark = market.random() * fitting.reduce((sum, { eagerness }) => sum + eagerness, 0)
  for (const worker of fitting) {
    mark -= worker.eagerness
    if (mark <= 0) return worker
  }
  return undefined
}

/**
 * Posts a public task, whose slots workers take in the next days. `also` are users of a ring who take the first slots
 * within `hours`.
 */
export async function offerTask(
  market: ClockedMarket,
  mixed: Mixed,
  buyer: TestUser,
  {
    reward,
    slots,
    circle = null,
    also = [],
    hours = 30,
  }: { reward: number; slots: number; circle?: string[] | null; also?: TestUser[]; hours?: number },
): Promise<void> {
  const affordable = Math.min(slots, Math.floor(((await market.balance(buyer)) * 0.88) / reward))
  if (affordable < 1) return
  const task = await market.post(buyer, reward, affordable)
  if (task === null) return
  for (let slot = 0; slot < affordable; slot++) {
    const worker = also[slot] ?? choose(market, mixed, buyer, circle)?.user
    if (worker === undefined) continue
    const delay = slot < also.length ? hours * market.random() : market.between(1, 30)
    market.at(market.hour + delay, async () => {
      if (mixed.buyers.some(({ id }) => id === worker.id)) return
      const submission = await market.submit(worker, task)
      if (submission === null) return
      market.at(market.hour + market.between(1, 30), async () => {
        await market.approve(buyer, submission)
        if (market.chance(0.05)) await market.tip(buyer, submission, market.between(1, 10))
      })
    })
  }
}

/** A worker who has earned something becomes a buyer, buys a little and pays others. */
async function changeSides(market: ClockedMarket, mixed: Mixed): Promise<void> {
  for (const worker of mixed.workers.slice(14, 20)) {
    if ((await market.balance(worker.user)) < 60) continue
    mixed.workers.splice(mixed.workers.indexOf(worker), 1)
    await market.changeRole(worker.user, 'Buyer')
    const buyer: TestUser = { ...worker.user, role: 'Buyer' }
    mixed.buyers.push(buyer)
    const [offer] = mixed.offers.filter(({ coins }) => coins >= 100)
    if (offer !== undefined) await market.buy(buyer, offer, `card ${buyer.id}`)
    for (let round = 0; round < 8; round++)
      market.at(market.hour + round * 2 * DAY, () =>
        offerTask(market, mixed, buyer, { reward: market.between(4, 10), slots: 4 }),
      )
    return
  }
}

async function payDay(market: ClockedMarket, mixed: Mixed): Promise<void> {
  for (const worker of mixed.workers)
    if ((await market.balance(worker.user)) >= worker.goal) {
      worker.goal += 250
      const all = market.chance(0.5)
      market.at(market.hour + market.between(0, 12), () =>
        market.withdraw(worker.user, worker.account, market.hour + 5 * DAY, all),
      )
    }
}
