import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/endpoint.ts'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { asRefusal } from '#server/http/errors.ts'
import { decideWithdrawal } from '#server/payouts/decide-withdrawal.ts'
import { assessNewRequests } from '#server/risk/assess-new.ts'
import { clearRisk } from '#server/risk/review.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import { submitWork } from '#server/submissions/submit.ts'
import { addTask } from '#server/tasks/add.ts'
import { updateRole } from '#server/users/update-role.ts'
import { presentWithdrawable } from '#server/withdrawals/present.ts'
import { readWithdrawable } from '#server/withdrawals/queries.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import { asServer, LONG_TIMEOUTS } from '#tests/support/database.ts'
import { anAdmin, aUser, balanceOf, type TestUser, taskBody } from '#tests/support/factories.ts'
import { seededRandom } from '#tests/support/random.ts'

const START = new Date('2027-01-01T06:00:00Z')
const HOUR_MS = 3_600_000
const CLIENT = { network: '', device: '' }
/** Refusals that users come upon: the act is not done. */
const EXPECTED = new Set([
  'already_submitted',
  'task_filled',
  'insufficient_coins',
  'holding_time',
  'deadline_passed',
  'account_frozen',
  'payout_limit',
  'invalid_fields',
])

export type Device = { network: string; device: string }
export type Package = { coins: number; cents: number }

/** A request as the simulation judges it. `hour` is the time since the beginning of the market. */
export type Request = {
  id: string
  worker: TestUser
  ring: string | null
  hour: number
  cents: number
  score: number
  reasons: Reason[]
}

type Reason = { kind: string; points: number }
type Assessed = { score: number; reasons: Reason[]; cents: number }

/** What a ring of a kind put in by card and got out, in cents. */
export type Cash = { paidIn: number; paidOut: number }

/**
 * A marketplace whose time passes as its events happen, on one connection whose clock is set before each of them. Every
 * act is a use case of the product. Users who belong to a ring are named in `rings`.
 */
export class ClockedMarket {
  readonly requests: Request[] = []
  /** The hours from an honest worker's first wish for the payout of 200 earned coins to a payment, by worker. */
  readonly firstWaits = new Map<string, number>()
  readonly #reviewed = new Set<string>()
  readonly #firstWishes = new Map<string, number>()
  /** The refusals that acts came upon, by code. */
  readonly refusals = new Map<string, number>()
  readonly cash = new Map<string, Cash>()
  readonly random: () => number
  readonly #database: Database
  readonly #config: Config
  readonly #rings = new Map<string, string>()
  readonly #events: { hour: number; order: number; act: () => Promise<void> }[] = []
  #admin: TestUser | undefined
  hour = 0

  constructor(database: Database, config: Config, seed: number) {
    this.#database = database
    this.#config = config
    this.random = seededRandom(seed)
  }

  /** Plans an act. Acts happen by their hour, also those that an earlier act plans. */
  at(hour: number, act: () => Promise<void>): void {
    this.#events.push({ hour: Math.max(hour, this.hour), order: this.#events.length, act })
  }

  async run(): Promise<void> {
    this.#admin = await anAdmin(this.#database)
    for (;;) {
      let next = 0
      for (const [index, event] of this.#events.entries()) {
        const first = this.#events[next]
        if (first !== undefined && (event.hour - first.hour || event.order - first.order) < 0) next = index
      }
      const [event] = this.#events.splice(next, 1)
      if (event === undefined) return
      this.hour = event.hour
      const moment = new Date(START.getTime() + event.hour * HOUR_MS).toISOString()
      await this.#database.pool.query(`select set_config('tallywork.clock', $1, false)`, [moment])
      await event.act()
    }
  }

  /** Registers a user who signs in on these devices. `ring` names the ring that the user belongs to. */
  async join(role: Role, devices: readonly Device[], ring: string | null = null): Promise<TestUser> {
    const user = await aUser(this.#database, role)
    for (const { network, device } of devices) {
      await this.#database.pool.query(
        `insert into sessions (id, identity_id, secret_hash, device, network, expires_at)
         values ($1, $2, sha256($3), $4, $5, now() + interval '14 days')`,
        [randomUUID(), user.id, Buffer.from(randomUUID()), device, network],
      )
    }
    if (ring !== null) this.#rings.set(user.id, ring)
    return user
  }

  /** Buys a package by card. Returns the payment, or null where a limit of purchases refuses it. */
  async buy(user: TestUser, { coins, cents }: Package, card: string = randomUUID()): Promise<string> {
    const id = randomUUID()
    await this.#database.pool.query(
      `insert into purchases (id, user_id, coins, amount_cents, mode, intent_id) values ($1, $2, $3, $4, 'sandbox', $5)`,
      [id, user.id, coins, cents, `pi_${id}`],
    )
    await this.#settle(id, card, 0)
    const ring = this.#rings.get(user.id)
    if (ring !== undefined) this.#cashOf(ring).paidIn += cents
    return id
  }

  /** The card holder disputes a payment and wins: the money goes back. */
  async dispute(user: TestUser, payment: string, cents: number): Promise<void> {
    await this.#settle(payment, '', cents)
    const ring = this.#rings.get(user.id)
    if (ring !== undefined) this.#cashOf(ring).paidIn -= cents
  }

  async #settle(purchase: string, card: string, disputedCents: number): Promise<void> {
    const disputes =
      disputedCents === 0
        ? []
        : [
            {
              id: `dp_${purchase}`,
              cents: disputedCents,
              status: 'lost',
              reason: 'fraudulent',
              respondBy: null,
              openedAt: new Date().toISOString(),
              effect: 'withhold',
              isOpen: false,
              isKnown: true,
            },
          ]
    const sql = `select settle_purchase($1, purchase_revision($1), 'visa', '4242', $2, 0, $3)`
    await this.#database.run({ name: 'test_settle', sql }, [purchase, card, JSON.stringify(disputes)])
  }

  /** Posts a task. Returns null when the buyer has too few coins. */
  post(buyer: TestUser, reward: number, slots: number): Promise<string | null> {
    const day = new Date(START.getTime() + (this.hour + 24 * 21) * HOUR_MS).toISOString().slice(0, 10)
    return this.#attempt(() =>
      this.#database.transaction((tx) =>
        addTask(tx, this.#config, buyer, taskBody({ reward, slots, day }), {}),
      ),
    )
  }

  submit(worker: TestUser, taskId: string): Promise<string | null> {
    return this.#attempt(() =>
      this.#database.transaction((tx) =>
        submitWork(tx, this.#config, worker, { taskId, text: 'Here is my work.' }, {}),
      ),
    )
  }

  async approve(buyer: TestUser, submissionId: string): Promise<void> {
    await this.#attempt(() =>
      this.#database.transaction((tx) => approveSubmission(tx, submissionId, buyer.id)),
    )
  }

  async tip(buyer: TestUser, submissionId: string, coins: number): Promise<void> {
    await this.#attempt(() =>
      this.#database.transaction((tx) => payBonus(tx, submissionId, buyer.id, { coins, message: '' })),
    )
  }

  /** The worker does a whole task at once, and the buyer approves it; `asBonus` pays most of the coins as a bonus. */
  async work(buyer: TestUser, worker: TestUser, coins: number, asBonus = false): Promise<void> {
    const reward = asBonus ? 5 : coins
    const task = await this.post(buyer, reward, 1)
    const submission = task === null ? null : await this.submit(worker, task)
    if (submission === null) return
    await this.approve(buyer, submission)
    if (asBonus) await this.tip(buyer, submission, coins - reward)
  }

  async changeRole(user: TestUser, role: Role): Promise<void> {
    await updateRole(this.#database, this.#config, user.id, role, this.#admin?.id ?? '', CLIENT)
  }

  balance(user: TestUser): Promise<number> {
    return balanceOf(this.#database, user)
  }

  /**
   * Asks for a payout of the worker's coins, again every eight hours while it is refused and, with `all`, while coins are
   * left. An Admin pays within four hours. A request that its score stops takes four more: honest workers are then
   * paid, and rings are not.
   */
  async withdraw(worker: TestUser, account: string, lastHour: number, all = true): Promise<void> {
    const balance = await this.balance(worker)
    if (!this.#firstWishes.has(worker.id) && balance - (await this.#signUpCoins(worker)) >= 200)
      this.#firstWishes.set(worker.id, this.hour)
    const isRequested = await this.#request(worker, account, all ? balance : Math.min(balance, 200))
    if ((!isRequested || all) && balance >= 200 && this.hour + 8 < lastHour)
      this.at(this.hour + 8, () => this.withdraw(worker, account, lastHour, all))
  }

  async #request(worker: TestUser, account: string, coins: number): Promise<boolean> {
    const send = (amount: number) =>
      this.#attempt(() =>
        this.#database.transaction((tx) =>
          requestWithdrawal(
            tx,
            this.#config,
            worker,
            { coins: amount, system: 'Bkash', accountNumber: account },
            {},
          ),
        ),
      )
    const id = (await send(coins)) ?? (await send(await this.#withdrawable(worker, account)))
    if (id === null) return false
    await assessNewRequests(this.#database)
    const { rows } = await this.#database.pool.query<Assessed>(
      `select score, reasons, amount_cents as cents from risk_assessments join withdrawals on withdrawals.id = withdrawal_id
        where withdrawal_id = $1`,
      [id],
    )
    const { score = 0, reasons = [], cents = 0 } = rows[0] ?? {}
    const ring = this.#rings.get(worker.id) ?? null
    this.requests.push({ id, worker, ring, hour: this.hour, cents, score, reasons })
    this.at(this.hour + 4, () => this.#pay(id, worker, ring, cents))
    return true
  }

  /** What the worker can withdraw to this account within the limits. */
  async #withdrawable(worker: TestUser, account: string): Promise<number> {
    const row = await readWithdrawable(this.#database, worker.id, this.#config.holdingDays)
    const { verified, unverified } = presentWithdrawable(row)
    const { rows } = await this.#database.pool.query(
      `select from withdrawals where worker_id = $1 and account_number = $2 and status = 'approved' limit 1`,
      [worker.id, account],
    )
    return rows.length > 0 ? verified : unverified
  }

  /** Starting coins that a setting keeps from being withdrawn. */
  async #signUpCoins(worker: TestUser): Promise<number> {
    const { later } = await readWithdrawable(this.#database, worker.id, this.#config.holdingDays)
    return later.find(({ cause }) => cause === 'sign_up')?.coins ?? 0
  }

  async #pay(id: string, worker: TestUser, ring: string | null, cents: number): Promise<void> {
    const admin = this.#admin?.id ?? ''
    const paid = await this.#attempt(() =>
      this.#database.transaction((tx) => decideWithdrawal(tx, id, admin, { status: 'approved' }, {})),
    )
    if (paid === null) {
      if (ring !== null || this.#reviewed.has(id)) return
      this.#reviewed.add(id)
      await this.#attempt(() =>
        this.#database.transaction((tx) => clearRisk(tx, id, admin, 'An honest worker')),
      )
      this.at(this.hour + 4, () => this.#pay(id, worker, ring, cents))
      return
    }
    if (ring !== null) this.#cashOf(ring).paidOut += cents
    else if (!this.firstWaits.has(worker.id))
      this.firstWaits.set(worker.id, this.hour - (this.#firstWishes.get(worker.id) ?? this.hour))
  }

  #cashOf(ring: string): Cash {
    const cash = this.cash.get(ring) ?? { paidIn: 0, paidOut: 0 }
    this.cash.set(ring, cash)
    return cash
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work()
    } catch (error) {
      const { code } = asRefusal(error)
      this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
      if (EXPECTED.has(code) || code === 'risk_review' || code === 'state_conflict') return null
      throw error
    }
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1))
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  pick<Item>(list: readonly Item[]): Item {
    return list[Math.floor(this.random() * list.length)] as Item
  }
}

/** Opens a database with one connection, whose clock is set as the market proceeds. */
export function openClocked(url: string): Database {
  const connection = { connectionString: asServer(url), ...LONG_TIMEOUTS, idleTimeoutMillis: 0 }
  return openDatabase(connection, { max: 1, prepare: true })
}

/** A device of somebody's own: an address that nobody else has. */
export function ownDevice(market: ClockedMarket): Device {
  const part = () => market.between(1, 254)
  return { network: `${part()}.${part()}.${part()}.${part()}`, device: market.pick(DEVICES) }
}
const DEVICES = [
  'Chrome on Android',
  'Chrome on Windows',
  'Firefox on Linux',
  'Safari on iPhone',
  'Edge on Windows',
]

/** A mobile number of somebody's own. */
export function ownNumber(market: ClockedMarket): string {
  return `01${market.between(3, 9)}${String(market.between(0, 99_999_999)).padStart(8, '0')}`
}
