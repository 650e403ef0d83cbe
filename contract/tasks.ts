import * as z from 'zod/mini'
import { Audience, Ineligibility, TaskAudience } from './audience.ts'
import { latinDigits } from './digits.ts'
import { endpoint } from './endpoint.ts'
import { Ids } from './ids.ts'
import { RESERVATION_MINUTES, REVIEW_HOURS_MAX, REWARD_MAX, SLOTS_MAX } from './product.ts'
import { BuyerRecord } from './records.ts'
import { Reservation } from './reservations.ts'
import {
  ByEmail,
  ById,
  Coins,
  Day,
  Email,
  Id,
  Inserted,
  LongText,
  Paging,
  PictureUrl,
  Time,
  Title,
  Updated,
  Version,
  whole,
} from './shapes.ts'
import { SUBMISSION_STATES } from './submission-states.ts'
import { TaskCategory } from './task-categories.ts'

/** `worker` counts the free slots; `payable_amount` is the pay of one slot; `buyer` is an email address. */
export const Task = z.object({
  _id: Id,
  task_title: z.string(),
  task_detail: z.string(),
  required_workers: z.int(),
  payable_amount: Coins,
  completion_date: Day,
  submission_info: z.string(),
  task_image_url: z.string(),
  buyer: z.string(),
  buyer_name: z.string(),
  /** The buyer, as in GET /users/{id}. */
  buyerId: Id,
  worker: z.int(),
  amount: Coins,
  total: Coins,
  isCompleted: z.boolean(),
  /** Deleted, past its deadline, or its buyer was deleted: no slot can be taken any more. */
  isClosed: z.boolean(),
  /** Work is approved automatically this many hours after it was submitted. */
  review_hours: z.number(),
  /** How long a worker may hold a reserved slot. */
  reservation_minutes: z.int(),
  category: TaskCategory,
  /** The slots belong to the items of a batch, which are taken one after another (docs/specification/projects.md#items). */
  isBatch: z.boolean(),
  /** The buyer's record; null while nothing is decided. */
  buyerRecord: z.nullable(BuyerRecord),
  /** The median time from reservation to submission; null under five. */
  workSeconds: z.nullable(z.int()),
  createdAt: Time,
})
export type Task = z.infer<typeof Task>

/** A task in a list, with both spellings of the buyer's name (docs/specification/api.md). */
export const ListedTask = z.extend(Task, { Buyer_name: z.string() })
export type ListedTask = z.infer<typeof ListedTask>

/** `hourly` is by the pay per hour at the median working time; tasks without one are last. */
export const TaskSort = z.enum(['newest', 'pay', 'hourly', 'deadline', 'slots'])
export type TaskSort = z.infer<typeof TaskSort>

const coinsInQuery = z.optional(
  z.pipe(
    z.string().check(z.overwrite(latinDigits), z.regex(/^\d{1,7}$/, 'Enter a whole number')),
    z.transform(Number),
  ),
)

/** `q` searches title and details; `open` selects tasks with free slots. */
export const TaskFilter = z.extend(Paging, {
  q: z.optional(z.string().check(z.maxLength(200))),
  sort: z.optional(TaskSort),
  pay_min: coinsInQuery,
  pay_max: coinsInQuery,
  open: z.optional(z.enum(['true', 'false'])),
  category: z.optional(TaskCategory),
})

/** The tasks of the first page of a list. The page of the worker's list requests them before its scripts run. */
export const FIRST_TASKS = 20

export const taskListWorker = endpoint({
  method: 'GET',
  path: '/task-list-worker',
  summary: 'Tasks for workers: all tasks that are not closed',
  access: { who: 'anyone', token: 'optional' },
  shared: true,
  boundedStaleness: true,
  query: TaskFilter,
  reply: z.array(ListedTask),
})

export const allTask = endpoint({
  method: 'GET',
  path: '/all-task',
  summary: 'All tasks that are not deleted',
  access: { who: 'anyone', token: 'optional' },
  shared: true,
  boundedStaleness: true,
  query: TaskFilter,
  reply: z.array(ListedTask),
})

/** `unlisted` is why the task is in no public list; null: it is in them. */
export const ManagedTask = z.extend(ListedTask, {
  unlisted: z.nullable(z.enum(['favourites_first', 'link'])),
})
export type ManagedTask = z.infer<typeof ManagedTask>

export const managedTasks = endpoint({
  method: 'GET',
  path: '/managed-tasks',
  summary: 'All tasks that are not deleted, with those that are in no public list',
  access: { who: ['Admin'] },
  boundedStaleness: true,
  query: TaskFilter,
  reply: z.array(ManagedTask),
})

/** `review` is tasks with work that waits for a decision, `filled` open tasks without a free slot, `ended` closed ones. */
export const MyTaskState = z.enum(['review', 'open', 'filled', 'ended'])
export type MyTaskState = z.infer<typeof MyTaskState>

/** Latest deadline first, earliest deadline first, or newest first. */
export const MyTaskSort = z.enum(['deadline', 'ending', 'newest'])
export type MyTaskSort = z.infer<typeof MyTaskSort>

export const MyTaskFilter = z.extend(Paging, {
  q: z.optional(z.string().check(z.maxLength(200))),
  state: z.optional(MyTaskState),
  sort: z.optional(MyTaskSort),
})

export const myTask = endpoint({
  method: 'GET',
  path: '/my-task/:email',
  summary: "A buyer's tasks, latest deadline first by default",
  access: { who: 'signed-in', named: 'path' },
  scope: 'tasks',
  params: ByEmail,
  query: MyTaskFilter,
  reply: z.array(Task),
})

/** The work on one of the caller's tasks, in numbers. */
export const TaskProgress = z.object({
  taskId: Id,
  /** Slots that are reserved and not yet submitted. */
  reserved: z.int(),
  /** Work that waits for the buyer's decision. */
  pending: z.int(),
  /** When the first of it is approved automatically; null without any. */
  reviewBy: z.nullable(Time),
  /** Work that is being revised, and rejections that are not final. */
  unsettled: z.int(),
  approved: z.int(),
  rejected: z.int(),
  escrow: Coins,
  /** A disputed card payment holds it: no slot can be taken. */
  held: z.boolean(),
})
export type TaskProgress = z.infer<typeof TaskProgress>

export const myTaskProgress = endpoint({
  method: 'GET',
  path: '/my-task-progress',
  summary: "The work on the caller's own tasks among these, in numbers",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  query: z.object({ tasks: z.optional(Ids) }),
  reply: z.array(TaskProgress),
})

export const myTaskTotals = endpoint({
  method: 'GET',
  path: '/my-task-totals',
  summary: "How many of the caller's tasks are in each state, and their coins in escrow",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  reply: z.object({
    all: z.int(),
    review: z.int(),
    open: z.int(),
    filled: z.int(),
    ended: z.int(),
    escrow: Coins,
  }),
})

/**
 * A task as the caller sees it: `submission` is their own submission that was not rejected, `reservation` their own live
 * reservation.
 */
export const TaskDetails = z.extend(ListedTask, {
  /** Rises when the buyer edits a task that somebody works on. */
  taskVersion: z.int(),
  /** The slots that reopening makes free again. 0 for an open task and for others than its buyer. */
  restorable_slots: z.int(),
  submission: z.nullable(
    z.object({
      _id: Id,
      /** The version of the task that the work was made for. */
      taskVersion: z.int(),
      status: z.enum(['pending', 'approved']),
      /** The state in full (docs/specification/submissions.md#states). */
      state: z.enum(SUBMISSION_STATES),
      submissoin_data: z.string(),
      createdAt: Time,
      /** The deadline of the state; null when it is final. */
      dueAt: z.nullable(Time),
      /** While pending: when it is approved automatically (docs/specification/submissions.md). */
      reviewBy: z.nullable(Time),
    }),
  ),
  /** The caller's latest rejected work on it whose rejection is not final. It keeps nobody from submitting other work. */
  rejection: z.nullable(z.object({ _id: Id, state: z.enum(SUBMISSION_STATES), dueAt: Time })),
  reservation: z.nullable(Reservation),
  /** Who may work on it; null: every worker. */
  audience: z.nullable(TaskAudience),
  /** Why the caller, a Worker, may not take a slot or an item; null otherwise. */
  ineligibility: z.nullable(Ineligibility),
})
export type TaskDetails = z.infer<typeof TaskDetails>

/** The wire's spelling is `datails`. */
export const taskDetails = endpoint({
  method: 'GET',
  path: '/task-datails/:id',
  summary: 'One task',
  access: { who: 'signed-in' },
  scope: 'tasks',
  boundedStaleness: true,
  params: ById,
  reply: TaskDetails,
  errors: ['task_not_found'],
})

export const NewTask = z.object({
  task_title: Title,
  task_detail: LongText,
  required_workers: whole(1, SLOTS_MAX),
  payable_amount: whole(1, REWARD_MAX),
  completion_date: Day,
  submission_info: LongText,
  task_image_url: z.optional(z.nullable(PictureUrl)),
  /** By default the review period of the marketplace. */
  review_hours: z.optional(whole(1, REVIEW_HOURS_MAX)),
  reservation_minutes: z.optional(whole(RESERVATION_MINUTES.min, RESERVATION_MINUTES.max)),
  /** By default the one that title and details suggest. */
  category: z.optional(TaskCategory),
  /** Who may work on it, by default every worker. */
  audience: z.optional(Audience),
})

/** `worker`, `amount`, `total`, `buyer` and `buyer_name` are shown values; one that contradicts the record is refused. */
export const addTask = endpoint({
  method: 'POST',
  path: '/add-task',
  summary: 'Post a task; its whole cost is transferred to escrow in the same transaction',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 1200, perNetwork: 12_000 },
  body: z.extend(NewTask, {
    worker: z.optional(z.number()),
    amount: z.optional(z.number()),
    total: z.optional(z.number()),
    buyer: z.optional(Email),
    buyer_name: z.optional(z.string()),
    /** The draft that the task is posted from; it is deleted in the same transaction. */
    draftId: z.optional(Id),
  }),
  reply: Inserted,
  errors: [
    'not_found',
    'not_yours',
    'email_not_verified',
    'account_frozen',
    'insufficient_coins',
    'deadline_passed',
  ],
})

/** Without a category the task keeps its own. */
export const TaskEdit = z.object({
  task_title: Title,
  task_detail: LongText,
  submission_info: LongText,
  category: z.optional(TaskCategory),
})

/** With `taskVersion`, the version that the buyer has seen, texts that were changed since are not overwritten. */
export const updateTask = endpoint({
  method: 'PUT',
  path: '/update-task/:id',
  summary: "Change a task's title, details, submission info and category; nothing else can change",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.extend(TaskEdit, { taskVersion: z.optional(Version) }),
  reply: Updated,
  errors: ['task_not_found', 'not_yours', 'state_conflict'],
})

/** `coins` are those that the buyer paid or got back. `changed` is false when the task was so already. */
const TaskChange = z.object({ changed: z.boolean(), coins: Coins })

export const addSlots = endpoint({
  method: 'POST',
  path: '/tasks/:id/slots',
  summary: 'Add slots to an open task; their pay is transferred to escrow in the same transaction',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({ slots: whole(1, SLOTS_MAX) }),
  reply: TaskChange,
  errors: [
    'task_not_found',
    'not_yours',
    'account_frozen',
    'state_conflict',
    'task_closed',
    'deadline_passed',
    'insufficient_coins',
  ],
})

export const moveDeadline = endpoint({
  method: 'PUT',
  path: '/tasks/:id/deadline',
  summary: 'Extend an open task, or bring its deadline forward',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.object({ completion_date: Day }),
  reply: TaskChange,
  errors: ['task_not_found', 'not_yours', 'task_closed', 'deadline_passed'],
})

export const closeTask = endpoint({
  method: 'POST',
  path: '/tasks/:id/close',
  summary: 'Close a task before its deadline; the coins of free slots are refunded',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  reply: TaskChange,
  errors: ['task_not_found', 'not_yours'],
})

/** Without a `completion_date` the task keeps its deadline. */
export const reopenTask = endpoint({
  method: 'POST',
  path: '/tasks/:id/reopen',
  summary: 'Reopen a closed task; the pay of its free slots is transferred to escrow again',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  body: z.optional(z.nullable(z.object({ completion_date: z.optional(Day) }))),
  reply: TaskChange,
  errors: [
    'task_not_found',
    'not_yours',
    'account_frozen',
    'state_conflict',
    'deadline_passed',
    'insufficient_coins',
  ],
})

export const deleteTask = endpoint({
  method: 'DELETE',
  path: '/delete-task/:id',
  summary: 'Delete a task; the coins of free slots are refunded to its buyer',
  access: { who: ['Buyer', 'Admin'] },
  scope: 'tasks',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: z.object({
    acknowledged: z.boolean(),
    deletedCount: z.int(),
    isCompleted: z.boolean(),
    refund: Coins,
  }),
  errors: ['task_not_found', 'not_yours'],
})

/** Kept for clients that call it after a deletion. It never moves a coin (docs/specification/tasks.md). */
export const updateCoin = endpoint({
  method: 'PATCH',
  path: '/update-coin/:email',
  summary: 'Confirm that the ledger contains a refund of exactly these coins',
  access: { who: ['Buyer'], named: 'path' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ByEmail,
  body: z.object({ coin: whole(0, SLOTS_MAX * REWARD_MAX) }),
  reply: z.extend(Updated, { coin: Coins }),
})
