import { REJECTION_CATEGORIES, type SubmissionState } from '#contract/submission-states.ts'
import { defendRejection, openAppeal } from '#server/appeals/appeal.ts'
import { decideReviews } from '#server/appeals/decide.ts'
import { type Database, query, type Tx } from '#server/database/database.ts'
import { asRefusal } from '#server/http/errors.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import {
  acceptRejection,
  concedeRejection,
  reopenSlot,
  reverseRejection,
} from '#server/submissions/end-dispute.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { requestRevision, reviseSubmission } from '#server/submissions/revise.ts'
import { submitWork } from '#server/submissions/submit.ts'
import { addTask } from '#server/tasks/add.ts'
import { closeTask } from '#server/tasks/close.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { moveDeadline } from '#server/tasks/move-deadline.ts'
import { reopenTask } from '#server/tasks/reopen.ts'
import { reserveSlot, returnReservation } from '#server/tasks/reserve.ts'
import { addSlots } from '#server/tasks/top-up.ts'
import { updateTask } from '#server/tasks/update.ts'
import { deleteUser } from '#server/users/delete.ts'
import { setReviewer } from '#server/users/update-role.ts'
import { later } from '#tests/support/clock.ts'
import {
  aBuyer,
  anAdmin,
  aWorker,
  giveCoins,
  type TestUser,
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'
import { seededRandom } from '#tests/support/random.ts'

export type Scale = { seed: number; buyers: number; workers: number; tasksPerDay: number }

/** How a buyer treats work: decides and mostly approves, mostly rejects, or never does anything. */
type Manner = 'fair' | 'unfair' | 'silent'
const MANNERS: readonly Manner[] = ['fair', 'unfair', 'fair', 'silent', 'fair']
/** What a buyer does within six hours, of 100. */
const DECISIONS: Record<Manner, { approve: number; reject: number; revise: number }> = {
  fair: { approve: 20, reject: 4, revise: 4 },
  unfair: { approve: 10, reject: 20, revise: 2 },
  silent: { approve: 0, reject: 0, revise: 0 },
}

const REVIEWERS = 5
const BUYER_COINS = 400
const CLIENT = { network: '', device: '' }

/** Refusals that users come upon. Others fail the simulation. */
const EXPECTED = new Set([
  'already_submitted',
  'deadline_passed',
  'insufficient_coins',
  'own_task',
  'reservation_lapsed',
  'reservation_limit',
  'state_conflict',
  'task_closed',
  'task_filled',
  'task_not_found',
  'user_not_found',
])

type Work = {
  id: string
  state: SubmissionState
  buyer: string
  worker: string
  reviewer: string | null
  reopened: boolean
}
const currentWork = query<Work, []>(
  'model_simulated_work',
  `select submissions.id, status as state, buyer_id as buyer, worker_id as worker, reviewer_id as reviewer,
          slot_reopened as reopened
     from submissions left join reviews on reviews.submission_id = submissions.id and reviews.decided_at is null
    where status not in ('approved', 'rejected')
       or submissions.decided_at > clock_time() - interval '5 days' and decided_by <> 'worker_left'
    order by submissions.id`,
)
type Task = { id: string; buyer: string; left: number; closed: boolean }
const currentTasks = query<Task, []>(
  'model_simulated_tasks',
  `select id, buyer_id as buyer, slots_left as left, closed_at is not null as closed from tasks
    where deleted_at is null and (closed_at is null or closed_at > clock_time() - interval '3 days') order by id`,
)
const liveReservations = query<{ task: string; worker: string }, []>(
  'model_simulated_reservations',
  'select task_id as task, worker_id as worker from reservations where ended_at is null order by id',
)

/** Users of every kind, whose choices follow from a seed, and who act through the product's use cases. */
export class SimulatedMarket {
  /** How often each operation was done and, after its name, refused. */
  readonly counts = new Map<string, number>()
  readonly #database: Database
  readonly #scale: Scale
  readonly #random: () => number
  readonly #buyers: (TestUser & { manner: Manner })[] = []
  readonly #workers: TestUser[] = []
  readonly #reviewers: TestUser[] = []
  #admin: TestUser | undefined
  #posted = 0

  constructor(database: Database, scale: Scale) {
    this.#database = database
    this.#scale = scale
    this.#random = seededRandom(scale.seed)
  }

  async populate(): Promise<void> {
    this.#admin = await anAdmin(this.#database)
    for (let index = 0; index < this.#scale.buyers; index++) await this.#addBuyer()
    for (let index = 0; index < this.#scale.workers; index++)
      this.#workers.push(await aWorker(this.#database))
    for (let index = 0; index < REVIEWERS; index++) {
      const reviewer = await aWorker(this.#database)
      await setReviewer(this.#database, reviewer.id, { isReviewer: true }, this.#admin.id, CLIENT)
      this.#reviewers.push(reviewer)
    }
  }

  /** Does what all users do in the six hours that end now. */
  async act(now: Date): Promise<void> {
    await this.#postTasks(now)
    await this.#work()
    for (const work of await currentWork(this.#database)) await this.#handle(work)
    for (const task of await currentTasks(this.#database)) await this.#change(task, now)
    await this.#comeAndLeave()
  }

  async payBuyers(): Promise<void> {
    for (const { accountId } of this.#buyers) await giveCoins(this.#database, accountId, BUYER_COINS)
  }

  async #postTasks(now: Date): Promise<void> {
    const { tasksPerDay } = this.#scale
    const count = Math.floor(tasksPerDay / 4 + this.#random())
    for (let index = 0; index < count; index++) {
      const body = {
        ...taskBody({
          title: `Task ${++this.#posted}`,
          reward: this.#between(2, 12),
          slots: this.#between(1, 6),
          day: dayOf(later(now, { days: this.#between(1, 14) })),
        }),
        ...(this.#chance(30) && { review_hours: this.#between(1, 504) }),
        reservation_minutes: this.#pick([60, 1440]) ?? 60,
      }
      const buyer = this.#pick(this.#buyers)
      if (buyer !== undefined) await this.#attempt('post', (tx) => addTask(tx, testConfig, buyer, body, {}))
    }
  }

  /** More workers want slots than there are. */
  async #work(): Promise<void> {
    for (const { task, worker } of await liveReservations(this.#database)) {
      const holder = this.#workers.find(({ id }) => id === worker)
      if (holder !== undefined) await this.#endReservation(task, holder)
    }
    const tasks = (await currentTasks(this.#database)).filter(({ closed, left }) => !closed && left > 0)
    for (let index = 0; index < this.#scale.tasksPerDay * 1.2; index++) {
      const task = this.#pick(tasks)
      const worker = this.#pick(this.#workers)
      if (task === undefined || worker === undefined) return
      if (this.#chance(50)) {
        await this.#attempt('submit', (tx) => submit(tx, task.id, worker))
      } else {
        await this.#attempt('reserve', (tx) => reserveSlot(tx, testConfig, task.id, worker.id))
        await this.#endReservation(task.id, worker)
      }
    }
  }

  async #endReservation(taskId: string, worker: TestUser): Promise<void> {
    const roll = this.#random()
    if (roll < 0.5) await this.#attempt('submit', (tx) => submit(tx, taskId, worker))
    else if (roll < 0.6) await this.#attempt('return', (tx) => returnReservation(tx, taskId, worker.id))
  }

  async #handle({ id, state, buyer, worker, reviewer, reopened }: Work): Promise<void> {
    const manner = this.#buyers.find((one) => one.id === buyer)?.manner ?? 'silent'
    const isActive = manner !== 'silent'
    const roll = this.#random() * 100
    switch (state) {
      case 'pending': {
        const { approve, reject, revise } = DECISIONS[manner]
        if (roll < approve) await this.#attempt('approve', (tx) => approveSubmission(tx, id, buyer))
        else if (roll < approve + reject) await this.#reject(id, buyer)
        else if (roll < approve + reject + revise)
          await this.#attempt('request revision', (tx) => requestRevision(tx, id, buyer, 'Line two?'))
        return
      }
      case 'revision_requested':
        if (roll < 10)
          await this.#attempt('revise', (tx) => reviseSubmission(tx, testConfig, id, worker, 'All lines.'))
        else if (roll < 12 && isActive)
          await this.#attempt('approve', (tx) => approveSubmission(tx, id, buyer))
        return
      case 'rejection_open':
        if (roll < 4)
          await this.#attempt('appeal', (tx) => openAppeal(tx, id, worker, { text: 'Look again.' }))
        else if (roll < 5) await this.#attempt('accept', (tx) => acceptRejection(tx, id, worker))
        else if (roll < 6 && isActive) await this.#attempt('concede', (tx) => concedeRejection(tx, id, buyer))
        break
      case 'appealed':
        if (roll < 10) await this.#attempt('defend', (tx) => defendRejection(tx, id, buyer, 'It is not.'))
        else if (roll < 13) await this.#attempt('concede', (tx) => concedeRejection(tx, id, buyer))
        break
      case 'in_review':
        if (roll < 4 && reviewer !== null) await this.#decide(id, reviewer)
        else if (roll < 5) await this.#attempt('concede', (tx) => concedeRejection(tx, id, buyer))
        break
      case 'approved':
        if (roll < 1 && isActive)
          await this.#attempt('bonus', (tx) => payBonus(tx, id, buyer, { coins: 2, message: 'Thank you' }))
        return
      case 'rejected':
        if (roll < 4 && isActive) await this.#attempt('reverse', (tx) => reverseRejection(tx, id, buyer))
        return
    }
    if (!reopened && this.#chance(1)) await this.#attempt('reopen slot', (tx) => reopenSlot(tx, id, buyer))
  }

  #reject(id: string, buyer: string): Promise<void> {
    const reason = this.#pick(['Not what I asked for', 'Too short']) ?? ''
    const category = this.#pick(REJECTION_CATEGORIES)
    return this.#attempt('reject', (tx) => rejectSubmission(tx, testConfig, id, buyer, { reason, category }))
  }

  #decide(id: string, reviewer: string): Promise<void> {
    const decision = this.#chance(50) ? 'upheld' : 'overturned'
    const reason = 'The task asks for ten lines.'
    return this.#attempt(`decide ${decision}`, (tx) =>
      decideReviews(tx, testConfig, reviewer, { submissions: [id], decision, reason }),
    )
  }

  async #change({ id, buyer, closed }: Task, now: Date): Promise<void> {
    if (!this.#buyers.some((one) => one.id === buyer)) return
    const roll = this.#random() * 100
    const day = dayOf(later(now, { days: this.#between(1, 14) }))
    if (closed) {
      if (roll < 2) await this.#attempt('reopen', (tx) => reopenTask(tx, testConfig, id, buyer, day))
    } else if (roll < 1) await this.#attempt('close', (tx) => closeTask(tx, id, buyer))
    else if (roll < 1.5) {
      await this.#attempt('delete task', (tx) => deleteTask(tx, id, { id: buyer, role: 'Buyer' }))
    } else if (roll < 2.5) await this.#attempt('top up', (tx) => addSlots(tx, testConfig, id, buyer, 2))
    else if (roll < 3.5) {
      await this.#attempt('move deadline', (tx) => moveDeadline(tx, testConfig, id, buyer, day))
    } else if (roll < 4.5) {
      const texts = { task_title: `Edited ${day}`, task_detail: 'Another text', submission_info: 'Lines' }
      await this.#attempt('edit', (tx) => updateTask(tx, id, buyer, texts))
    }
  }

  /** Deletes users with work in any state; others register in their place. */
  async #comeAndLeave(): Promise<void> {
    const db = this.#database
    const admin = this.#admin?.id ?? ''
    if (this.#chance(8)) {
      const [left] = this.#workers.splice(this.#between(0, this.#workers.length - 1), 1)
      if (left !== undefined) await this.#attempt('delete worker', (tx) => deleteUser(tx, left.id, admin))
      this.#workers.push(await aWorker(db))
    }
    if (this.#chance(4)) {
      const [left] = this.#buyers.splice(this.#between(0, this.#buyers.length - 1), 1)
      if (left !== undefined) await this.#attempt('delete buyer', (tx) => deleteUser(tx, left.id, admin))
      await this.#addBuyer()
    }
    if (this.#chance(8)) {
      const reviewer = this.#pick(this.#reviewers)
      const isReviewer = this.#chance(70)
      if (reviewer !== undefined)
        await this.#attempt(isReviewer ? 'appoint reviewer' : 'dismiss reviewer', (tx) =>
          setReviewer(tx, reviewer.id, { isReviewer }, admin, CLIENT),
        )
    }
  }

  async #addBuyer(): Promise<void> {
    const buyer = await aBuyer(this.#database, { coins: BUYER_COINS })
    this.#buyers.push({ ...buyer, manner: MANNERS[this.#buyers.length % MANNERS.length] ?? 'fair' })
  }

  /** In a transaction, because the pool closes a connection on which a single statement was refused. */
  async #attempt(name: string, work: (tx: Tx) => Promise<unknown>): Promise<void> {
    let outcome = name
    try {
      await this.#database.transaction(work)
    } catch (error) {
      const { code } = asRefusal(error)
      if (!EXPECTED.has(code)) throw new Error(`${name} came to ${code}`, { cause: error })
      outcome = `${name}: ${code}`
    }
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
  }

  #between(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1))
  }

  #chance(percent: number): boolean {
    return this.#random() * 100 < percent
  }

  #pick<Item>(list: readonly Item[]): Item | undefined {
    return list[this.#between(0, list.length - 1)]
  }
}

const submit = (tx: Tx, taskId: string, worker: TestUser) =>
  submitWork(tx, testConfig, worker, { taskId, text: 'Here is my work.' }, {})
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
