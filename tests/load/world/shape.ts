/** What a bench database holds. Everything follows from these numbers, on both sides of the server. */
export type Shape = {
  /** The marketplace's own tasks; people, work, transfers and notices are in proportion. */
  tasks: number
  /** Tasks behind those, whose pending work and free slots the measured writes use up. */
  supplyTasks: number
  admins: number
  buyers: number
  workers: number
  /** The first N buyers and workers are signed in and call. */
  callers: number
  /** The world's beginning, and the time from one task to the next, in milliseconds. */
  began: number
  step: number
}

/** Of each supply task: work that waits for a decision, and slots that are free. */
export const SUPPLY_PENDING = 60
export const SUPPLY_FREE = 40
export const SUPPLY_REWARD = 5

const DAY_MS = 86_400_000
const YEARS_MS = 730 * DAY_MS

/** @param decisions how many submissions the run may decide; two thirds as many can be handed in. */
export function shapeOf(tasks: number, decisions: number): Shape {
  const supplyTasks = Math.ceil(decisions / SUPPLY_PENDING)
  return {
    tasks,
    supplyTasks,
    admins: 3,
    buyers: Math.max(200, Math.ceil(tasks / 20)),
    workers: Math.max(1000, Math.ceil(tasks / 2)),
    callers: 200,
    began: Math.floor((Date.now() - YEARS_MS) / DAY_MS) * DAY_MS,
    step: Math.floor((YEARS_MS - 2 * DAY_MS) / (tasks + supplyTasks + 2)),
  }
}

export const peopleOf = ({ admins, buyers, workers }: Shape) => admins + buyers + workers
export const tasksOf = ({ tasks, supplyTasks }: Shape) => tasks + supplyTasks + 1

/** Ids are computed, time-ordered as the product's own: `bench.id` in SQL does the same. */
function idOf(ms: number, k: number): string {
  const hex = `${ms.toString(16).padStart(12, '0')}70008000${k.toString(16).padStart(12, '0')}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const taskMs = (shape: Shape, n: number) => shape.began + 1_000_000_000 + n * shape.step
export const taskId = (shape: Shape, n: number) => idOf(taskMs(shape, n), n)
export const userId = (shape: Shape, k: number) => idOf(shape.began + k, k)
export const submissionId = (shape: Shape, n: number, slot: number) => idOf(taskMs(shape, n) + slot + 1, n)

/** People are numbered: the Admins first, then the Buyers, then the Workers. */
export const adminNumber = (index: number) => 1 + index
export const buyerNumber = (shape: Shape, index: number) => 1 + shape.admins + index
export const workerNumber = (shape: Shape, index: number) => 1 + shape.admins + shape.buyers + index
export const emailOf = (k: number) => `user${k}@example.com`

/** The task, slot and buyer's index of the supply's pending work with this flat index. */
export function pendingWork(shape: Shape, flat: number): { id: string; buyer: number } {
  const index = flat % shape.supplyTasks
  const slot = Math.floor(flat / shape.supplyTasks)
  if (slot >= SUPPLY_PENDING) throw new Error('The supply of pending work is used up')
  return { id: submissionId(shape, shape.tasks + 1 + index, slot), buyer: index % shape.callers }
}

/** A task and a worker's index, for handing in work: over one task all workers differ. */
export function freeSlot(shape: Shape, flat: number): { task: string; worker: number } {
  const index = flat % shape.supplyTasks
  const turn = Math.floor(flat / shape.supplyTasks)
  if (turn >= SUPPLY_FREE) throw new Error('The supply of free slots is used up')
  return { task: taskId(shape, shape.tasks + 1 + index), worker: (turn * 7 + index) % shape.callers }
}
