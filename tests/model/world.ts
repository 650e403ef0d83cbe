import { randomUUID } from 'node:crypto'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { asRefusal } from '#server/http/errors.ts'
import { decideWithdrawal } from '#server/payouts/decide-withdrawal.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { closeTask } from '#server/tasks/close.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { reopenTask } from '#server/tasks/reopen.ts'
import { reserveSlot, returnReservation } from '#server/tasks/reserve.ts'
import { addSlots } from '#server/tasks/top-up.ts'
import { deleteUser } from '#server/users/delete.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import {
  aPerson,
  aSubmission,
  aTask,
  noAppeals,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { type Marketplace, type Operation, type Outcome, RESERVATIONS_MAX } from './marketplace.ts'

const config = { ...testConfig, reservationsMax: RESERVATIONS_MAX }

const expireTask = query<{ refund: number }, [task: string]>(
  'model_expire_task',
  `select close_task(id, 'deadline') as refund
     from (select id from tasks where id = $1 and closed_at is null for no key update) as task`,
)

const liveReservation = query<{ id: string }, [task: string, worker: string]>(
  'model_live_reservation',
  'select id from reservations where task_id = $1 and worker_id = $2 and ended_at is null',
)
const setClock = queryOne<{ clock: string }, []>(
  'model_set_clock',
  `select set_config('tallywork.clock', (now() + interval '1 day')::text, true) as clock`,
)
const lapseReservation = queryOne<{ lapsed: boolean }, [reservation: string]>(
  'model_lapse_reservation',
  'select lapse_reservation($1) as lapsed',
)

// As a purchase is credited: nothing for who is deleted, also in the same moment.
const buyCoins = query<never, [user: string, coins: number]>(
  'model_buy_coins',
  `with buyer as (select account_id from users where id = $1 and deleted_at is null for share)
   select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), account_id, $2) from buyer`,
)

/** What an operation came to in the real marketplace, and what it made. */
export type Result = { outcome: Outcome; made?: string }

/** The real marketplace under the model's numbers: runs operations through the product's use cases. */
export class World {
  readonly people: TestUser[] = []
  readonly tasks: string[] = []
  readonly reservations: string[] = []
  readonly work: string[] = []
  readonly withdrawals: string[] = []
  readonly #database: Database
  /** A repeated reservation returns the first one. */
  readonly #reserved = new Set<string>()
  #admin: TestUser | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** The same people in the world and in the model: buyers, then workers, with their starting coins and some more. */
  async populate(model: Marketplace, buyers: number, workers: number): Promise<void> {
    this.#admin = await aPerson(this.#database, 'Admin')
    for (let index = 0; index < buyers + workers; index++) {
      const role = index < buyers ? 'Buyer' : 'Worker'
      const coins = role === 'Buyer' ? 950 : 290
      this.people.push(await aPerson(this.#database, role, { coins }))
      model.people.push({ role, coins: role === 'Buyer' ? 1000 : 300, deleted: false })
    }
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

  /** Takes what an operation made into the numbering, in the model's order. */
  remember(operation: Operation, { made }: Result): void {
    if (made === undefined) return
    if (operation.do === 'post') this.tasks.push(made)
    if (operation.do === 'reserve') this.reservations.push(made)
    if (operation.do === 'submit') this.work.push(made)
    if (operation.do === 'withdraw') this.withdrawals.push(made)
  }

  async #perform(model: Marketplace, operation: Operation): Promise<Result> {
    const database = this.#database
    const nobody = randomUUID()
    switch (operation.do) {
      case 'post': {
        const { slots, reward } = operation
        return {
          outcome: 'done',
          made: await aTask(database, this.#user(operation.who), { slots, reward }),
        }
      }
      case 'submit': {
        const task = this.tasks[operation.task] ?? nobody
        return { outcome: 'done', made: await aSubmission(database, task, this.#user(operation.who)) }
      }
      case 'reserve': {
        const task = this.tasks[operation.task] ?? nobody
        const { id } = await reserveSlot(database, config, this.#user(operation.who).id, task)
        if (this.#reserved.has(id)) return { outcome: 'again' }
        this.#reserved.add(id)
        return { outcome: 'done', made: id }
      }
      case 'return': {
        const task = this.tasks[operation.task] ?? nobody
        return doneIf(await returnReservation(database, this.#user(operation.who).id, task))
      }
      case 'lapse': {
        const task = this.tasks[operation.task] ?? nobody
        const [live] = await liveReservation(database, task, this.#user(operation.who).id)
        if (live === undefined) return { outcome: 'again' }
        const { lapsed } = await database.transaction(async (tx) => {
          await setClock(tx)
          return lapseReservation(tx, live.id)
        })
        return doneIf(lapsed ? 1 : 0)
      }
      case 'approve': {
        const buyer = this.#user(model.buyerOf(operation, model.work[operation.work]?.task ?? -1))
        const { modified } = await approveSubmission(database, this.work[operation.work] ?? nobody, buyer.id)
        return doneIf(modified)
      }
      case 'reject': {
        const buyer = this.#user(model.buyerOf(operation, model.work[operation.work]?.task ?? -1))
        return doneIf(
          await rejectSubmission(database, noAppeals, this.work[operation.work] ?? nobody, buyer.id, {
            reason: 'No',
          }),
        )
      }
      case 'delete-task': {
        const buyer = this.#user(model.buyerOf(operation, operation.task))
        const { deleted } = await deleteTask(database, this.tasks[operation.task] ?? nobody, buyer)
        return doneIf(deleted)
      }
      case 'top-up': {
        const buyer = this.#user(model.buyerOf(operation, operation.task))
        const task = this.tasks[operation.task] ?? nobody
        await addSlots(database, testConfig, task, buyer.id, operation.slots)
        return { outcome: 'done' }
      }
      case 'close': {
        const buyer = this.#user(model.buyerOf(operation, operation.task))
        const refund = await closeTask(database, this.tasks[operation.task] ?? nobody, buyer.id)
        return doneIf(refund === null ? 0 : 1)
      }
      case 'reopen': {
        const buyer = this.#user(model.buyerOf(operation, operation.task))
        const task = this.tasks[operation.task] ?? nobody
        const cost = await reopenTask(database, testConfig, task, buyer.id, null)
        return doneIf(cost === null ? 0 : 1)
      }
      case 'expire': {
        const task = this.tasks[operation.task]
        return doneIf((await expireTask(database, task ?? nobody)).length)
      }
      case 'withdraw': {
        const wish = { coins: operation.coins, system: 'Other', accountNumber: 'By hand' } as const
        return {
          outcome: 'done',
          made: await requestWithdrawal(database, testConfig, this.#user(operation.who), wish, {}),
        }
      }
      case 'decide-withdrawal': {
        const decision = operation.approve
          ? ({ status: 'approved' } as const)
          : ({ status: 'declined', reason: 'Wrong number' } as const)
        const id = this.withdrawals[operation.withdrawal] ?? nobody
        return doneIf(await decideWithdrawal(database, id, this.#admin?.id ?? nobody, decision, {}))
      }
      case 'delete-user':
        return doneIf(await deleteUser(database, this.#user(operation.who).id, this.#admin?.id ?? nobody))
      case 'buy': {
        const bought = await buyCoins(database, this.#user(operation.who).id, operation.coins)
        return doneIf(bought.length)
      }
    }
  }

  /** Everything the model knows, read from the database in the model's numbering. */
  async read(): Promise<Pick<Marketplace, 'people' | 'tasks' | 'reservations' | 'work' | 'withdrawals'>> {
    const { pool } = this.#database
    const ids = (list: { id: string }[]) => list.map(({ id }) => id)
    const all = async <Row>(sql: string, order: string[]): Promise<Row[]> => {
      const { rows } = await pool.query<Row & { id: string }>(sql, [order])
      const byId = new Map(rows.map(({ id, ...row }) => [id, row as Row]))
      return order.map((id) => byId.get(id)).filter((row): row is Row => row !== undefined)
    }
    return {
      people: await all(
        `select users.id, role, balance as coins, deleted_at is not null as deleted
           from users join ledger_accounts on ledger_accounts.id = account_id where users.id = any ($1)`,
        ids(this.people),
      ),
      tasks: await all<TaskRow>(
        `select id, buyer_id as buyer, slots, slots_left as left, reward,
                closed_at is not null as closed, deleted_at is not null as deleted from tasks where id = any ($1)`,
        this.tasks,
      ).then((rows) => rows.map((task) => ({ ...task, buyer: this.#number(task.buyer) }))),
      reservations: await all<{ task: string; worker: string; outcome: 'lapsed' | null }>(
        'select id, task_id as task, worker_id as worker, outcome from reservations where id = any ($1)',
        this.reservations,
      ).then((rows) =>
        rows.map(({ task, worker, outcome }) => ({
          task: this.tasks.indexOf(task),
          worker: this.#number(worker),
          outcome,
        })),
      ),
      work: await all<{ task: string; worker: string; status: 'pending' }>(
        'select id, task_id as task, worker_id as worker, status from submissions where id = any ($1)',
        this.work,
      ).then((rows) =>
        rows.map(({ task, worker, status }) => ({
          task: this.tasks.indexOf(task),
          worker: this.#number(worker),
          status,
        })),
      ),
      withdrawals: await all<{ worker: string; coins: number; status: 'pending' }>(
        'select id, worker_id as worker, coins, status from withdrawals where id = any ($1)',
        this.withdrawals,
      ).then((rows) =>
        rows.map(({ worker, coins, status }) => ({ worker: this.#number(worker), coins, status })),
      ),
    }
  }

  #number(id: string): number {
    return this.people.findIndex((user) => user.id === id)
  }

  #user(number: number): TestUser {
    const user = this.people[number]
    if (user === undefined) throw new Error(`There is no user ${number}`)
    return user
  }
}

type TaskRow = {
  buyer: string
  slots: number
  left: number
  reward: number
  closed: boolean
  deleted: boolean
}

function doneIf(modified: number): Result {
  return { outcome: modified === 1 ? 'done' : 'again' }
}
