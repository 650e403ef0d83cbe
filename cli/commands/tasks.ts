import { randomUUID } from 'node:crypto'
import { ok } from '@oazapfts/runtime'
import { TASK_CATEGORIES } from '#contract/task-category-ids.ts'
import { addTask, myTask } from '../client.ts'
import { type Command, oneOf, optional, required, table, whole } from '../command.ts'
import { asFailure, EXIT, Failure } from '../failure.ts'
import { requireLogin } from '../login-file.ts'
import { moreText, PAGING, pagingOf, readPage } from '../page.ts'

export const createTask: Command = {
  usage:
    '--title TEXT --details TEXT --submission-info TEXT --slots N --reward COINS --deadline YYYY-MM-DD [--category NAME] [--idempotency-key KEY]',
  summary: 'post a task; its cost is paid at once',
  options: {
    title: { type: 'string' },
    details: { type: 'string' },
    'submission-info': { type: 'string' },
    slots: { type: 'string' },
    reward: { type: 'string' },
    deadline: { type: 'string' },
    category: { type: 'string' },
    'idempotency-key': { type: 'string' },
  },
  async run(values) {
    const category = oneOf(values, 'category', TASK_CATEGORIES)
    const task = {
      task_title: required(values, 'title'),
      task_detail: required(values, 'details'),
      submission_info: required(values, 'submission-info'),
      required_workers: whole(values, 'slots'),
      payable_amount: whole(values, 'reward'),
      completion_date: required(values, 'deadline'),
      ...(category && { category }),
    }
    const idempotencyKey = optional(values, 'idempotency-key') ?? randomUUID()
    requireLogin()
    const json = await ok(addTask(task, { idempotencyKey })).catch((error: unknown) => {
      throw withRetry(asFailure(error), idempotencyKey)
    })
    return { json, text: `Posted the task ${json.insertedId}.` }
  },
}

/** Adds how to repeat a request whose result is unknown without paying twice. */
function withRetry(failure: Failure, key: string): Failure {
  if (failure.exitCode !== EXIT.unavailable) return failure
  const remedy = `Run the same command with --idempotency-key ${key}: the task is posted once.`
  return new Failure(failure.exitCode, failure.code, failure.message, remedy)
}

export const listTasks: Command = {
  usage: '[--limit N] [--cursor CURSOR]',
  summary: 'list your tasks, the latest deadline first',
  options: PAGING,
  async run(values) {
    const { email } = requireLogin()
    const page = await readPage(myTask(email, pagingOf(values)))
    const rows = page.items.map((task) => [
      task._id,
      task.completion_date,
      `${task.payable_amount}`,
      `${task.required_workers}`,
      task.task_title,
    ])
    const head = ['ID', 'DEADLINE', 'COINS', 'SLOTS', 'TITLE']
    return { json: page, text: table([head, ...rows]) + moreText(page.nextCursor) }
  },
}
