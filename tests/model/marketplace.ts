/**
 * A model of the marketplace in a few plain objects, without a database: the rules of docs/specification/coins.md and
 * docs/specification/tasks.md. Things are named by their number in the order they were made.
 */
export type Outcome = 'done' | 'again' | (string & {})

type TestUser = { role: 'Worker' | 'Buyer' | 'Admin'; coins: number; deleted: boolean }
type Task = { buyer: number; slots: number; left: number; reward: number; closed: boolean; deleted: boolean }
type Work = { task: number; worker: number; status: 'pending' | 'approved' | 'rejected' }
type Reservation = {
  task: number
  worker: number
  outcome: 'submitted' | 'returned' | 'lapsed' | 'cancelled' | null
}
type Withdrawal = { worker: number; coins: number; status: 'pending' | 'approved' | 'declined' | 'cancelled' }

/** Numbers are taken modulo what there is, so that a shrunk story still means something. */
export type Operation =
  | { do: 'post'; who: number; slots: number; reward: number }
  | { do: 'submit'; who: number; task: number }
  | { do: 'reserve'; who: number; task: number }
  | { do: 'return'; who: number; task: number }
  | { do: 'lapse'; who: number; task: number }
  | { do: 'approve'; who: number; work: number; own: boolean }
  | { do: 'reject'; who: number; work: number; own: boolean }
  | { do: 'delete-task'; who: number; task: number; own: boolean }
  | { do: 'top-up'; who: number; task: number; own: boolean; slots: number }
  | { do: 'close'; who: number; task: number; own: boolean }
  | { do: 'reopen'; who: number; task: number; own: boolean }
  | { do: 'expire'; task: number }
  | { do: 'withdraw'; who: number; coins: number }
  | { do: 'decide-withdrawal'; withdrawal: number; approve: boolean }
  | { do: 'delete-user'; who: number }
  | { do: 'buy'; who: number; coins: number }

export const RESERVATIONS_MAX = 3
const LAPSES_MAX = 2

const DECIDED_AS = { approved: 'approve', rejected: 'reject' } as const

export class Marketplace {
  readonly people: TestUser[] = []
  readonly tasks: Task[] = []
  readonly reservations: Reservation[] = []
  readonly work: Work[] = []
  readonly withdrawals: Withdrawal[] = []

  /** What must come of this operation now, when nothing else happens at the same time. Changes the model. */
  apply(operation: Operation): Outcome {
    switch (operation.do) {
      case 'post':
        return this.#post(operation)
      case 'submit':
        return this.#submit(operation)
      case 'reserve':
        return this.#reserve(operation)
      case 'return':
        return this.#endReservation(operation, 'returned')
      case 'lapse':
        return this.#endReservation(operation, 'lapsed')
      case 'approve':
      case 'reject':
        return this.#decide(operation)
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
      case 'withdraw':
        return this.#withdraw(operation)
      case 'decide-withdrawal':
        return this.#decideWithdrawal(operation)
      case 'delete-user':
        return this.#deleteUser(operation)
      case 'buy':
        return this.#buy(operation)
    }
  }

  /** Who asks: the one the operation names, or (`own`) the buyer whose it is. */
  buyerOf(operation: { who: number; own: boolean }, task: number): number {
    return operation.own ? (this.tasks[task]?.buyer ?? operation.who) : operation.who
  }

  #post({ who, slots, reward }: Extract<Operation, { do: 'post' }>): Outcome {
    const buyer = this.#user(who)
    if (buyer.deleted || buyer.role !== 'Buyer') return 'role_not_allowed'
    if (buyer.coins < slots * reward) return 'insufficient_coins'
    buyer.coins -= slots * reward
    this.tasks.push({ buyer: who, slots, left: slots, reward, closed: false, deleted: false })
    return 'done'
  }

  #submit({ who, task: number }: Extract<Operation, { do: 'submit' }>): Outcome {
    if (!this.#isWorker(who)) return 'role_not_allowed'
    const reservation = this.#liveReservation(number, who)
    if (reservation !== undefined) reservation.outcome = 'submitted'
    else {
      const refusal = this.#refusal(number, who)
      if (refusal !== undefined) return refusal
      this.#task(number).left--
    }
    this.work.push({ task: number, worker: who, status: 'pending' })
    return 'done'
  }

  #reserve({ who, task: number }: Extract<Operation, { do: 'reserve' }>): Outcome {
    if (!this.#isWorker(who)) return 'role_not_allowed'
    if (this.#liveReservation(number, who) !== undefined) return 'again'
    const refusal = this.#refusal(number, who)
    if (refusal !== undefined) return refusal
    const own = this.reservations.filter((one) => one.worker === who)
    const lapsed = own.filter((one) => one.task === number && one.outcome === 'lapsed')
    if (lapsed.length >= LAPSES_MAX) return 'reservation_lapsed'
    if (own.filter((one) => one.outcome === null).length >= RESERVATIONS_MAX) return 'reservation_limit'
    this.#task(number).left--
    this.reservations.push({ task: number, worker: who, outcome: null })
    return 'done'
  }

  #endReservation({ who, task }: { who: number; task: number }, outcome: 'returned' | 'lapsed'): Outcome {
    const reservation = this.#liveReservation(task, who)
    if (reservation === undefined) return 'again'
    this.#releaseReservation(reservation, outcome)
    return 'done'
  }

  #releaseReservation(reservation: Reservation, outcome: 'returned' | 'lapsed' | 'cancelled'): void {
    reservation.outcome = outcome
    this.#freeSlot(this.#task(reservation.task))
  }

  #liveReservation(task: number, worker: number): Reservation | undefined {
    return this.reservations.find((one) => one.task === task && one.worker === worker && one.outcome === null)
  }

  /** Why a worker cannot take a slot of a task now. */
  #refusal(number: number, who: number): Outcome | undefined {
    const task = this.tasks[number]
    if (task === undefined || task.deleted) return 'task_not_found'
    if (this.work.some((work) => work.task === number && work.worker === who && work.status !== 'rejected')) {
      return 'already_submitted'
    }
    if (task.closed) return 'task_closed'
    return task.left === 0 ? 'task_filled' : undefined
  }

  #decide(operation: Extract<Operation, { do: 'approve' | 'reject' }>): Outcome {
    const work = this.work[operation.work]
    if (work === undefined) return 'submission_not_found'
    const task = this.#task(work.task)
    if (this.buyerOf(operation, work.task) !== task.buyer) return 'submission_not_found'
    if (work.status !== 'pending') {
      if (DECIDED_AS[work.status] !== operation.do) return 'already_decided'
      // A repeated rejection returns the first result; a repeated approval reports no change.
      return operation.do === 'reject' ? 'done' : 'again'
    }
    if (operation.do === 'approve') this.#pay(work, task)
    else this.#release(work, task)
    return 'done'
  }

  #pay(work: Work, task: Task): void {
    work.status = 'approved'
    this.#user(work.worker).coins += task.reward
  }

  #release(work: Work, task: Task): void {
    work.status = 'rejected'
    this.#freeSlot(task)
  }

  #freeSlot(task: Task): void {
    if (task.closed) this.#user(task.buyer).coins += task.reward
    else task.left++
  }

  #close(task: Task): void {
    if (task.closed) return
    this.#user(task.buyer).coins += task.left * task.reward
    task.left = 0
    task.closed = true
  }

  #deleteTask(operation: Extract<Operation, { do: 'delete-task' }>): Outcome {
    const task = this.tasks[operation.task]
    if (task === undefined || this.buyerOf(operation, operation.task) !== task.buyer) return 'task_not_found'
    if (task.deleted) return 'again'
    this.#close(task)
    task.deleted = true
    return 'done'
  }

  /** The task of an operation that its buyer alone can do, or why not. */
  #ownTask(operation: { who: number; task: number; own: boolean }): Task | Outcome {
    const who = this.buyerOf(operation, operation.task)
    const { role, deleted } = this.#user(who)
    if (deleted || role !== 'Buyer') return 'role_not_allowed'
    const task = this.tasks[operation.task]
    return task === undefined || task.deleted || task.buyer !== who ? 'task_not_found' : task
  }

  /** What a reopened task costs: the pay of the slots that nobody holds. */
  reopeningCost(number: number): number {
    const task = this.tasks[number]
    return task === undefined ? 0 : this.#freeSlots(number, task) * task.reward
  }

  #freeSlots(number: number, { slots }: Task): number {
    const work = this.work.filter((one) => one.task === number && one.status !== 'rejected')
    const reserved = this.reservations.filter((one) => one.task === number && one.outcome === null)
    return slots - work.length - reserved.length
  }

  #topUp(operation: Extract<Operation, { do: 'top-up' }>): Outcome {
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

  #closeOwn(operation: Extract<Operation, { do: 'close' }>): Outcome {
    const task = this.#ownTask(operation)
    if (typeof task === 'string') return task
    if (task.closed) return 'again'
    this.#close(task)
    return 'done'
  }

  #reopen(operation: Extract<Operation, { do: 'reopen' }>): Outcome {
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

  #expire({ task: number }: Extract<Operation, { do: 'expire' }>): Outcome {
    const task = this.tasks[number]
    if (task === undefined || task.closed) return 'again'
    this.#close(task)
    return 'done'
  }

  #withdraw({ who, coins }: Extract<Operation, { do: 'withdraw' }>): Outcome {
    const worker = this.#user(who)
    if (worker.deleted || worker.role !== 'Worker') return 'role_not_allowed'
    if (worker.coins < 200) return 'insufficient_coins'
    if (coins < 200) return 'invalid_fields'
    if (coins > worker.coins) return 'insufficient_coins'
    worker.coins -= coins
    this.withdrawals.push({ worker: who, coins, status: 'pending' })
    return 'done'
  }

  #decideWithdrawal({
    withdrawal: number,
    approve,
  }: Extract<Operation, { do: 'decide-withdrawal' }>): Outcome {
    const withdrawal = this.withdrawals[number]
    if (withdrawal === undefined) return 'withdrawal_not_found'
    const decision = approve ? 'approved' : 'declined'
    if (withdrawal.status !== 'pending') return withdrawal.status === decision ? 'again' : 'already_decided'
    withdrawal.status = decision
    if (!approve) this.#user(withdrawal.worker).coins += withdrawal.coins
    return 'done'
  }

  #deleteUser({ who }: Extract<Operation, { do: 'delete-user' }>): Outcome {
    const user = this.#user(who)
    if (user.role === 'Admin') return 'yourself'
    if (user.deleted) return 'again'
    for (const task of this.tasks.filter((one) => one.buyer === who)) this.#close(task)
    for (const reservation of this.reservations.filter((one) => one.outcome === null)) {
      if (this.#task(reservation.task).buyer === who) this.#releaseReservation(reservation, 'cancelled')
      else if (reservation.worker === who) this.#releaseReservation(reservation, 'returned')
    }
    for (const work of this.work.filter((one) => one.status === 'pending')) {
      const task = this.#task(work.task)
      if (task.buyer === who) this.#pay(work, task)
      else if (work.worker === who) this.#release(work, task)
    }
    for (const withdrawal of this.withdrawals) {
      if (withdrawal.worker === who && withdrawal.status === 'pending') withdrawal.status = 'cancelled'
    }
    user.coins = 0
    user.deleted = true
    return 'done'
  }

  #buy({ who, coins }: Extract<Operation, { do: 'buy' }>): Outcome {
    const buyer = this.#user(who)
    if (buyer.deleted) return 'again'
    buyer.coins += coins
    return 'done'
  }

  #isWorker(number: number): boolean {
    const { role, deleted } = this.#user(number)
    return role === 'Worker' && !deleted
  }

  #user(number: number): TestUser {
    const user = this.people[number]
    if (user === undefined) throw new Error(`There is no user ${number}`)
    return user
  }

  #task(number: number): Task {
    const task = this.tasks[number]
    if (task === undefined) throw new Error(`There is no task ${number}`)
    return task
  }
}
