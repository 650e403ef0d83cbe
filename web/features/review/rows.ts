import type { Submission } from '#contract/submissions.ts'
import { type DecidedWork, type DecisionEntry, isUndecided } from './decision-queue.ts'

export type Entries = ReadonlyMap<string, DecisionEntry>
export type RowFilter = { taskId: string; text: string }

export function workOf({ _id, worker_name, worker_email, payable_amount }: Submission): DecidedWork {
  return { id: _id, worker: worker_name, email: worker_email, coins: payable_amount }
}

/**
 * Returns the pending submissions of the server, oldest first. Those that were decided on this screen (`decided`) keep
 * their place while the queue has an entry for them, also after the server has left them out.
 */
export function mergeRows(
  pending: readonly Submission[],
  decided: readonly Submission[],
  entries: Entries,
): Submission[] {
  const rows = new Map(pending.map((row) => [row._id, row]))
  for (const row of decided) if (entries.has(row._id) && !rows.has(row._id)) rows.set(row._id, row)
  return [...rows.values()].sort(compareAge)
}

function compareAge(a: Submission, b: Submission): number {
  return a.createdAt === b.createdAt ? compare(a._id, b._id) : compare(a.createdAt, b.createdAt)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the rows of a task (all with an empty `taskId`) whose worker or work contains the text. */
export function filterRows(rows: readonly Submission[], { taskId, text }: RowFilter): Submission[] {
  const words = comparable(text).split(/\s+/)
  return rows.filter((row) => {
    if (taskId !== '' && row.taskId !== taskId) return false
    const content = comparable(`${row.worker_name} ${row.worker_email} ${row.submissoin_data}`)
    return words.every((word) => content.includes(word))
  })
}

/** Returns a text without the differences of case and of code points: keyboards type some Bangla letters as one or as two. */
const comparable = (text: string) => text.normalize('NFC').toLocaleLowerCase()

/** Returns the tasks of the rows with the number of their undecided submissions, in the order of the rows. */
export function tasksOf(rows: readonly Submission[], entries: Entries) {
  const tasks = new Map<string, { id: string; title: string; count: number }>()
  for (const { _id, taskId, task_title } of rows) {
    const task = tasks.get(taskId) ?? { id: taskId, title: task_title, count: 0 }
    if (isUndecided(entries.get(_id))) task.count++
    tasks.set(taskId, task)
  }
  return [...tasks.values()]
}

/** Returns the next undecided row after a row, or the first one before it; undefined when all are decided. */
export function nextUndecided(
  rows: readonly Submission[],
  after: Submission | undefined,
  entries: Entries,
): Submission | undefined {
  const undecided = rows.filter((row) => isUndecided(entries.get(row._id)))
  return undecided.find((row) => after !== undefined && compareAge(row, after) > 0) ?? undecided[0]
}
