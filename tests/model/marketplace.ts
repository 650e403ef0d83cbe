import type {
  ModelReservation,
  ModelTask,
  ModelUser,
  ModelWork,
  Named,
  Operation,
  Outcome,
  State,
  TaskOperation,
  UserOperation,
} from './operation.ts'
import { TASKS } from './operations.ts'
import { approve, finalizeRejection, freeSlot, isFinal, STATES_FOR, taskOf, userOf } from './state-of-work.ts'
import { type Chosen, type MassRejection, Work } from './work.ts'

export const RESERVATIONS_MAX = 3
const LAPSES_MAX = 2

/**
 * A model of the marketplace in a few plain objects, without a database: the rules of docs/specification/coins.md,
 * docs/specification/tasks.md and, in work.ts, of submissions.
 */
export class Marketplace {
  readonly state: State = {
    people: [],
    tasks: [],
    reservations: [],
    work: [],
    decisions: [],
    appeals: [],
    withdrawals: [],
  }
  readonly #massRejection: MassRejection
  readonly #work: Work

  constructor(massRejection: MassRejection, state?: State) {
    this.#massRejection = massRejection
    if (state !== undefined) this.state = structuredClone(state)
    this.#work = new Work(this.state, massRejection)
  }

  copy(): Marketplace {
    return new Marketplace(this.#massRejection, this.state)
  }

  /**
   * Aims an operation at something that exists: who takes a slot mostly at an open task, and who decides about work of
   * their own at work in a state that allows it.
   */
  aim(operation: Operation): Operation {
    const { tasks, work } = this.state
    if ('task' in operation) {
      const takesSlot = operation.do === 'submit' || operation.do === 'reserve'
      const open = takesSlot && operation.task < TASKS - 3 ? numbersOf(tasks, ({ left }) => left > 0) : []
      const task = pick(open, operation.task) ?? pick([...tasks.keys()], operation.task)
      return task === undefined ? operation : { ...operation, task }
    }
    if (!('work' in operation) || !operation.own) return operation
    const allowed = STATES_FOR[operation.do]
    const aimed = pick(
      numbersOf(work, ({ state }) => allowed.includes(state)),
      operation.work,
    )
    return aimed === undefined ? operation : { ...operation, work: aimed }
  }

  /**
   * What must come of this operation now, when nothing else happens at the same time. Changes the model. Without a chosen
   * reviewer the model keeps no reviewers.
   */
  apply(operation: Operation, chosen: Chosen = {}): Outcome {
    const { decisions } = this.state
    decisions.push([])
    const outcome = this.#apply(operation, chosen)
    if (decisions.at(-1)?.length === 0) decisions.pop()
    return outcome
  }

  #apply(operation: Operation, chosen: Chosen): Outcome {
    if (operation.do === 'submit') return this.#submit(operation)
    if ('work' in operation) return this.#work.apply(operation, chosen)
    if ('task' in operation || operation.do === 'post') return this.#changeTask(operation)
    return this.#changeUser(operation)
  }

  #changeTask(operation: TaskOperation): Outcome {
    switch (operation.do) {
      case 'post':
        return this.#post(operation)
      case 'reserve':
        return this.#reserve(operation)
      case 'return':
        return this.#endReservation(operation, 'returned')
      case 'lapse':
        return this.#endReservation(operation, 'lapsed')
      case 'delete-task':
        return this.#deleteTask(operation)
      case 'top-up':
        return this.#topUp(operation)
      case 'close':
        return this.#closeOwn(operation)
      case 'reopen':
        return this.#reopen(operation)
      case 'expire':
        return this.#expire(operation)
      case 'approve-all':
        return this.#approveAll(operation)
    }
  }

  #changeUser(operation: UserOperation): Outcome {
    switch (operation.do) {
      case 'withdraw':
        return this.#withdraw(operation)
      case 'decide-withdrawal':
        return this.#decideWithdrawal(operation)
      case 'delete-user':
        return this.#deleteUser(operation)
      case 'set-reviewer':
        return this.#setReviewer(operation)
      case 'buy':
        return this.#buy(operation)
    }
  }

  /** Who asks: the one the operation names, or (`own`) the buyer whose it is. */
  buyerOf(operation: { who: number; own: boolean }, task: number): number {
    return operation.own ? (this.state.tasks[task]?.buyer ?? operation.who) : operation.who
  }

  #post({ who, slots, reward }: Named<'post'>): Outcome {
    const buyer = this.#user(who)
    if (buyer.deleted || buyer.role !== 'Buyer') return 'role_not_allowed'
    if (buyer.coins < slots * reward) return 'insufficient_coins'
    buyer.coins -= slots * reward
    this.state.tasks.push({ buyer: who, slots, left: slots, reward, closed: false, deleted: false })
    return 'done'
  }

  #submit({ who, task: number, reserved }: Named<'submit'>): Outcome {
    if (!this.#isWorker(who)) return 'role_not_allowed'
    const reservation = this.#liveReservation(number, who)
    if (reserved !== undefined && reserved !== (reservation !== undefined)) return 'again'
    if (reservation !== undefined) reservation.outcome = 'submitted'
    else {
      const refusal = this.#refusal(number, who)
      if (refusal !== undefined) return refusal
      this.#task(number).left--
    }
    this.state.work.push({
      task: number,
      worker: who,
      state: 'pending',
      decidedBy: null,
      rejected: false,
      reason: '',
      revisionRequested: false,
      slotReopened: false,
      reviews: [],
    })
    return 'done'
  }

  #reserve({ who, task: number }: Named<'reserve'>): Outcome {
    if (!this.#isWorker(who)) return 'role_not_allowed'
    if (this.#liveReservation(number, who) !== undefined) return 'again'
    const refusal = this.#refusal(number, who)
    if (refusal !== undefined) return refusal
    const own = this.state.reservations.filter((one) => one.worker === who)
    const lapsed = own.filter((one) => one.task === number && one.outcome === 'lapsed')
    if (lapsed.length >= LAPSES_MAX) return 'reservation_lapsed'
    if (own.filter((one) => one.outcome === null).length >= RESERVATIONS_MAX) return 'reservation_limit'
    this.#task(number).left--
    this.state.reservations.push({ task: number, worker: who, outcome: null })
    return 'done'
  }

  #endReservation({ who, task }: { who: number; task: number }, outcome: 'returned' | 'lapsed'): Outcome {
    const reservation = this.#liveReservation(task, who)
    if (reservation === undefined) return 'again'
    this.#releaseReservation(reservation, outcome)
    return 'done'
  }

  #releaseReservation(reservation: ModelReservation, outcome: 'returned' | 'lapsed' | 'cancelled'): void {
    reservation.outcome = outcome
    freeSlot(this.state, this.#task(reservation.task))
  }

  #liveReservation(task: number, worker: number): ModelReservation | undefined {
    return this.state.reservations.find(
      (one) => one.task === task && one.worker === worker && one.outcome === null,
    )
  }

  /** Why a worker cannot take a slot of a task now. */
  #refusal(number: number, who: number): Outcome | undefined {
    const task = this.state.tasks[number]
    if (task === undefined || task.deleted) return 'task_not_found'
    if (this.state.work.some((work) => work.task === number && work.worker === who && isLive(work))) {
      return 'already_submitted'
    }
    if (task.closed) return 'task_closed'
    return task.left === 0 ? 'task_filled' : undefined
  }

  #close(task: ModelTask): void {
    if (task.closed) return
    this.#user(task.buyer).coins += task.left * task.reward
    task.left = 0
    task.closed = true
  }

  #deleteTask(operation: Named<'delete-task'>): Outcome {
    const task = this.state.tasks[operation.task]
    if (task === undefined) return 'task_not_found'
    if (this.buyerOf(operation, operation.task) !== task.buyer)
      return task.deleted ? 'task_not_found' : 'not_yours'
    if (task.deleted) return 'again'
    this.#close(task)
    task.deleted = true
    return 'done'
  }

  /** The task of an operation that its buyer alone can do, or why not. */
  #ownTask(operation: { who: number; task: number; own: boolean }): ModelTask | Outcome {
    const who = this.buyerOf(operation, operation.task)
    const { role, deleted } = this.#user(who)
    if (deleted || role !== 'Buyer') return 'role_not_allowed'
    const task = this.state.tasks[operation.task]
    if (task === undefined || task.deleted) return 'task_not_found'
    return task.buyer === who ? task : 'not_yours'
  }

  /** What a reopened task costs: the pay of the slots that nobody holds. */
  reopeningCost(number: number): number {
    const task = this.state.tasks[number]
    return task === undefined ? 0 : this.#freeSlots(number, task) * task.reward
  }

  #freeSlots(number: number, { slots }: ModelTask): number {
    const work = this.state.work.filter((one) => one.task === number && one.state !== 'rejected')
    const reserved = this.state.reservations.filter((one) => one.task === number && one.outcome === null)
    return slots - work.length - reserved.length
  }

  #topUp(operation: Named<'top-up'>): Outcome {
    const task = this.#ownTask(operation)
    if (typeof task === 'string') return task
    if (task.closed) return 'task_closed'
    const buyer = this.#user(task.buyer)
    if (buyer.coins < operation.slots * task.reward) return 'insufficient_coins'
    buyer.coins -= operation.slots * task.reward
    task.slots += operation.slots
    task.left += operation.slots
    return 'done'
  }

  #closeOwn(operation: Named<'close'>): Outcome {
    const task = this.#ownTask(operation)
    if (typeof task === 'string') return task
    if (task.closed) return 'again'
    this.#close(task)
    return 'done'
  }

  #reopen(operation: Named<'reopen'>): Outcome {
    const task = this.#ownTask(operation)
    if (typeof task === 'string') return task
    if (!task.closed) return 'again'
    const buyer = this.#user(task.buyer)
    const cost = this.reopeningCost(operation.task)
    if (buyer.coins < cost) return 'insufficient_coins'
    buyer.coins -= cost
    task.left = this.#freeSlots(operation.task, task)
    task.closed = false
    return 'done'
  }

  #expire({ task: number }: Named<'expire'>): Outcome {
    const task = this.state.tasks[number]
    if (task === undefined || task.closed) return 'again'
    this.#close(task)
    return 'done'
  }

  #approveAll(operation: Named<'approve-all'>): Outcome {
    const { task } = operation
    if (this.buyerOf(operation, task) !== this.state.tasks[task]?.buyer) return 'again'
    const allowed = numbersOf(
      this.state.work,
      (work) => work.task === task && STATES_FOR.approve.includes(work.state),
    )
    const works = operation.works ?? allowed
    if (works.length === 0 || works.some((number) => !allowed.includes(number))) return 'again'
    for (const work of this.state.work.filter((_, number) => works.includes(number)))
      approve(this.state, work, 'buyer')
    return 'done'
  }

  #withdraw({ who, coins }: Named<'withdraw'>): Outcome {
    const worker = this.#user(who)
    if (worker.deleted || worker.role !== 'Worker') return 'role_not_allowed'
    if (worker.coins < 200) return 'insufficient_coins'
    if (coins < 200) return 'invalid_fields'
    if (coins > worker.coins) return 'insufficient_coins'
    worker.coins -= coins
    this.state.withdrawals.push({ worker: who, coins, status: 'pending' })
    return 'done'
  }

  #decideWithdrawal({ withdrawal: number, approve }: Named<'decide-withdrawal'>): Outcome {
    const withdrawal = this.state.withdrawals[number]
    if (withdrawal === undefined) return 'withdrawal_not_found'
    const decision = approve ? 'approved' : 'declined'
    if (withdrawal.status !== 'pending') return withdrawal.status === decision ? 'again' : 'already_decided'
    withdrawal.status = decision
    if (!approve) this.#user(withdrawal.worker).coins += withdrawal.coins
    return 'done'
  }

  #deleteUser({ who }: Named<'delete-user'>): Outcome {
    const user = this.#user(who)
    if (user.role === 'Admin') return 'yourself'
    if (user.deleted) return 'again'
    for (const task of this.state.tasks.filter((one) => one.buyer === who)) this.#close(task)
    for (const reservation of this.state.reservations.filter((one) => one.outcome === null)) {
      if (this.#task(reservation.task).buyer === who) this.#releaseReservation(reservation, 'cancelled')
      else if (reservation.worker === who) this.#releaseReservation(reservation, 'returned')
    }
    for (const work of this.state.work.filter((one) => !isFinal(one))) {
      if (this.#task(work.task).buyer === who) approve(this.state, work, 'buyer_left')
      else if (work.worker === who) finalizeRejection(this.state, work, 'worker_left')
    }
    for (const withdrawal of this.state.withdrawals) {
      if (withdrawal.worker === who && withdrawal.status === 'pending') withdrawal.status = 'cancelled'
    }
    user.coins = 0
    user.deleted = true
    return 'done'
  }

  #setReviewer({ who, value }: Named<'set-reviewer'>): Outcome {
    const user = this.#user(who)
    if (user.deleted) return 'user_not_found'
    if (user.reviewer === value) return 'again'
    user.reviewer = value
    return 'done'
  }

  #buy({ who, coins }: Named<'buy'>): Outcome {
    const buyer = this.#user(who)
    if (buyer.deleted) return 'again'
    buyer.coins += coins
    return 'done'
  }

  #isWorker(number: number): boolean {
    const { role, deleted } = this.#user(number)
    return role === 'Worker' && !deleted
  }

  #user(number: number): ModelUser {
    return userOf(this.state, number)
  }

  #task(number: number): ModelTask {
    return taskOf(this.state, number)
  }
}

/** Whether work keeps its worker from another slot of the task: it was never rejected. */
const isLive = (work: ModelWork) => !work.rejected && work.state !== 'rejected'

function numbersOf<Item>(list: readonly Item[], matches: (item: Item) => boolean): number[] {
  return list.flatMap((item, number) => (matches(item) ? [number] : []))
}

const pick = (numbers: readonly number[], index: number) => numbers[index % numbers.length]
