import type pg from 'pg'
import type { Role } from '#contract/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { asRefusal } from '#server/http/errors.ts'
import { setReviewer } from '#server/users/update-role.ts'
import { aUser, balanceOf, type TestUser, testConfig } from '#tests/support/factories.ts'
import { type Marketplace, RESERVATIONS_MAX } from './marketplace.ts'
import type { Operation } from './operation.ts'
import { BUYERS, REVIEWERS, WORKERS } from './operations.ts'
import { performOnTask } from './perform-task.ts'
import { performOnUser } from './perform-user.ts'
import { performOnWork } from './perform-work.ts'
import type { Result } from './result.ts'
import type { MassRejection } from './work.ts'

const OPEN_REVIEWER =
  'select reviewer_id as id from reviews where submission_id = $1 and decision is null order by reviews.id desc limit 1'

/** What operations make, by the table in which it is. */
const MADE_BY = { post: 'tasks', reserve: 'reservations', submit: 'work', withdraw: 'withdrawals' } as const
type Made = (typeof MADE_BY)[keyof typeof MADE_BY]
const madeBy = (operation: Operation): Made | undefined =>
  Object.hasOwn(MADE_BY, operation.do) ? MADE_BY[operation.do as keyof typeof MADE_BY] : undefined

/** The real marketplace under the model's numbers: runs operations through the product's use cases. */
export class World implements Record<Made, string[]> {
  readonly people: TestUser[] = []
  readonly tasks: string[] = []
  readonly reservations: string[] = []
  readonly work: string[] = []
  readonly withdrawals: string[] = []
  readonly database: Database
  /** Connections that do not break. */
  readonly reads: pg.Pool
  readonly config: Config
  /** A repeated reservation returns the first one. */
  readonly #reserved = new Set<string>()

  constructor(database: Database, reads: pg.Pool, massRejection: MassRejection) {
    this.database = database
    this.reads = reads
    this.config = { ...testConfig, reservationsMax: RESERVATIONS_MAX, massRejection }
  }

  /** The same people in the world and in the model: buyers, workers, reviewers and an Admin. */
  async populate(model: Marketplace): Promise<void> {
    // Reviewers of earlier stories would be assigned too.
    await this.reads.query(
      `update users set role = 'Worker', is_reviewer = false where role = 'Admin' or is_reviewer`,
    )
    await this.#add(model, 'Buyer', BUYERS, 950)
    await this.#add(model, 'Worker', WORKERS, 290)
    const reviewers = await this.#add(model, 'Worker', REVIEWERS, 0)
    await this.#add(model, 'Admin', 1, 0)
    for (const { id } of reviewers) {
      await setReviewer(this.database, id, { isReviewer: true }, this.admin.id, { network: '', device: '' })
    }
  }

  async #add({ state }: Marketplace, role: Role, count: number, coins: number): Promise<TestUser[]> {
    const added: TestUser[] = []
    for (let index = 0; index < count; index++) {
      const user = await aUser(this.database, role, { coins })
      added.push(user)
      const balance = await balanceOf(this.database, user)
      state.people.push({ role, coins: balance, deleted: false, reviewer: role === 'Worker' && coins === 0 })
    }
    this.people.push(...added)
    return added
  }

  get admin(): TestUser {
    return this.user(BUYERS + WORKERS + REVIEWERS)
  }

  /** Runs one operation; a refusal is an outcome, anything else fails the test. */
  async run(model: Marketplace, operation: Operation): Promise<Result> {
    try {
      return await this.#perform(model, operation)
    } catch (error) {
      const { code } = asRefusal(error)
      if (code === 'internal' || code === 'unavailable') throw error
      return { outcome: code }
    }
  }

  #perform(model: Marketplace, operation: Operation): Promise<Result> {
    if ('work' in operation || operation.do === 'submit') return performOnWork(this, model, operation)
    if ('task' in operation || operation.do === 'post') return performOnTask(this, model, operation)
    return performOnUser(this, operation)
  }

  /** Takes what an operation made into the numbering, in the model's order. */
  remember(operation: Operation, { made }: Result): void {
    const list = madeBy(operation)
    if (made !== undefined && list !== undefined) this[list].push(made)
  }

  /** Returns the reviewer of the operation's work now, while its review is open. */
  async reviewerOf(operation: Operation): Promise<number | null> {
    const work = 'work' in operation ? this.work[operation.work] : undefined
    if (work === undefined) return null
    const { rows } = await this.reads.query<{ id: string | null }>(OPEN_REVIEWER, [work])
    const id = rows[0]?.id ?? null
    return id === null ? null : this.numberOf(id)
  }

  isNewReservation(id: string): boolean {
    if (this.#reserved.has(id)) return false
    this.#reserved.add(id)
    return true
  }

  /** Takes what exists besides the numbered into the numbering: an operation made it whose response was lost. */
  async discover(): Promise<void> {
    const people = this.people.map(({ id }) => id)
    for (const [table, owner, list] of [
      ['tasks', 'buyer_id', this.tasks],
      ['reservations', 'worker_id', this.reservations],
      ['submissions', 'worker_id', this.work],
      ['withdrawals', 'worker_id', this.withdrawals],
    ] as const) {
      const { rows } = await this.reads.query<{ id: string }>(
        `select id from ${table} where ${owner} = any ($1) and id <> all ($2)`,
        [people, list],
      )
      list.push(...rows.map(({ id }) => id))
    }
    for (const id of this.reservations) this.#reserved.add(id)
  }

  numberOf(id: string): number {
    return this.people.findIndex((user) => user.id === id)
  }

  user(number: number): TestUser {
    const user = this.people[number]
    if (user === undefined) throw new Error(`There is no user ${number}`)
    return user
  }
}
