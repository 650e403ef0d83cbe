import { NOUNS, newTask, pick, TEXT, VERBS } from './texts.ts'
import {
  buyerNumber,
  emailOf,
  freeSlot,
  pendingWork,
  type Shape,
  SUPPLY_FREE,
  SUPPLY_PENDING,
  SUPPLY_REWARD,
  submissionId,
  taskId,
  userId,
  workerNumber,
} from './world/shape.ts'

/** A statement of the server, and values for it as a random request of the bench has them. */
export type StatementCall = { name: string; writes?: boolean; values(shape: Shape): unknown[] }

const PAGE = 21
const below = (max: number) => Math.floor(Math.random() * max)
const someTask = (shape: Shape) => taskId(shape, 1 + below(shape.tasks))
const someBuyer = (shape: Shape) => userId(shape, buyerNumber(shape, below(shape.buyers)))
const someWorker = (shape: Shape) => userId(shape, workerNumber(shape, below(shape.workers)))
const callingBuyer = (shape: Shape, index: number) => userId(shape, buyerNumber(shape, index))
const pending = (shape: Shape) => pendingWork(shape, below(shape.supplyTasks * SUPPLY_PENDING))

/** In the order of the bench's table. */
export const CALLS: StatementCall[] = [
  {
    name: 'caller_of_session',
    values: (shape) => {
      const session = callingBuyer(shape, below(shape.callers))
      return [session, session]
    },
  },
  { name: 'tasks_workers_by_newest_packed', values: () => [PAGE] },
  { name: 'tasks_all_by_newest_next_packed', values: (shape) => [PAGE, someTask(shape)] },
  {
    name: 'tasks_all_by_newest_search_packed',
    values: () => [PAGE, `'${pick(VERBS).toLowerCase()}' & '${pick(NOUNS)}'`],
  },
  { name: 'task_by_id', values: (shape) => [someTask(shape), someWorker(shape)] },
  {
    name: 'submissions_oldest_of_buyer_packed',
    values: (shape) => [someBuyer(shape), ['pending'], null, PAGE],
  },
  {
    name: 'submissions_of_worker_in_states_packed',
    values: (shape) => [someWorker(shape), ['pending', 'revision_requested', 'approved'], null, 0, 6],
  },
  { name: 'submissions_count_of_worker', values: (shape) => [someWorker(shape)] },
  {
    name: 'notifications_of_packed',
    values: (shape) => [emailOf(workerNumber(shape, below(shape.workers))), null, PAGE],
  },
  { name: 'stats_buyer', values: (shape) => [someBuyer(shape)] },
  { name: 'stats_worker', values: (shape) => [someWorker(shape)] },
  {
    name: 'approve_submission',
    writes: true,
    values: (shape) => {
      const { id, buyer } = pending(shape)
      return [id, callingBuyer(shape, buyer)]
    },
  },
  {
    name: 'reject_submission',
    writes: true,
    values: (shape) => {
      const { id, buyer } = pending(shape)
      const periods = ['604800 seconds', '432000 seconds']
      return [id, callingBuyer(shape, buyer), 'The third line is missing.', null, '', ...periods, 50, 100]
    },
  },
  {
    name: 'submit_work',
    writes: true,
    values: (shape) => {
      const { task, worker } = freeSlot(shape, below(shape.supplyTasks * SUPPLY_FREE))
      const id = submissionId(shape, shape.tasks + 1 + below(shape.supplyTasks), 200_000 + below(1_000_000))
      const by = userId(shape, workerNumber(shape, worker))
      return [id, task, by, TEXT, SUPPLY_REWARD, null, null, '604800 seconds']
    },
  },
  {
    name: 'add_task',
    writes: true,
    values: (shape) => {
      const { task_title, task_detail, submission_info, completion_date } = newTask()
      const id = taskId(shape, shape.tasks + shape.supplyTasks + 2 + below(1_000_000))
      const texts = [task_title, task_detail, submission_info, '']
      return [
        id,
        callingBuyer(shape, below(shape.callers)),
        ...texts,
        2,
        3,
        completion_date,
        'Asia/Dhaka',
        0,
        null,
        60,
        'other',
        null,
        null,
      ]
    },
  },
]
