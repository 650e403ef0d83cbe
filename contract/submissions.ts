import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Ids } from './ids.ts'
import { REWARD_MAX } from './product.ts'
import { WorkerRecord } from './records.ts'
import { REASON_MAX } from './rejections.ts'
import {
  ByEmail,
  ById,
  Coins,
  Email,
  Id,
  Inserted,
  LongText,
  PageIndex,
  Paging,
  Role,
  Time,
  text,
  Updated,
  whole,
} from './shapes.ts'
import { DECIDERS, REJECTION_CATEGORIES, SUBMISSION_STATES } from './submission-states.ts'
import { TaskCategory } from './task-categories.ts'

/** The specified statuses. `pending` includes work that is being revised, `rejected` rejections that are not final. */
export const SubmissionStatus = z.enum(['pending', 'approved', 'rejected'])
export const SubmissionState = z.enum(SUBMISSION_STATES)

/** `submissoin_data` is the wire's spelling of the submitted text. */
export const Submission = z.object({
  _id: Id,
  taskId: Id,
  /** The version of the task that the work was made for. */
  taskVersion: z.int(),
  /** The item of a batch that the work is about; null for a plain task. */
  item: z.nullable(z.int()),
  task_title: z.string(),
  payable_amount: Coins,
  worker_name: z.string(),
  worker_email: z.string(),
  buyer_email: z.string(),
  buyer_name: z.string(),
  required_workers_left: z.int(),
  submissoin_data: z.string(),
  status: SubmissionStatus,
  /** The state in full (docs/specification/submissions.md#states). */
  state: SubmissionState,
  taskImg: z.string(),
  taskCategory: TaskCategory,
  /** Why it was rejected; empty otherwise. */
  reason: z.string(),
  category: z.nullable(z.enum(REJECTION_CATEGORIES)),
  /** The requirement of the task that rejected work fails; empty otherwise. */
  requirement: z.string(),
  /** The worker's record; null while nothing is decided. */
  workerRecord: z.nullable(WorkerRecord),
  /** The time from reservation to submission; null without a reservation. */
  workSeconds: z.nullable(z.int()),
  /** What the buyer asked to revise; null if they did not. */
  revisionRequest: z.nullable(z.string()),
  /** Whether the buyer paid for another slot while the rejection is not final. */
  slotReopened: z.boolean(),
  createdAt: Time,
  decidedAt: z.nullable(Time),
  decidedBy: z.nullable(z.enum(DECIDERS)),
  /** The deadline of the state; null when it is final. */
  dueAt: z.nullable(Time),
  /** While pending: when it is approved automatically (docs/specification/submissions.md). */
  reviewBy: z.nullable(Time),
})
export type Submission = z.infer<typeof Submission>

/**
 * The wire's spelling is `submiteted-task`. Only `taskId` and the text are used; `payable_amount`, `worker_email`,
 * `buyer_email` and `taskVersion` are checked against the record; the rest is ignored.
 */
export const submitWork = endpoint({
  method: 'POST',
  path: '/submiteted-task',
  summary: 'Submit work: takes one slot of the task',
  access: { who: ['Worker'] },
  limit: { perUser: 1200, perNetwork: 12_000 },
  body: z.object({
    taskId: Id,
    submissoin_data: LongText,
    payable_amount: z.optional(z.number()),
    worker_email: z.optional(Email),
    buyer_email: z.optional(Email),
    /** The version of the texts that the work was made for. */
    taskVersion: z.optional(z.int()),
    task_title: z.optional(z.unknown()),
    worker_name: z.optional(z.unknown()),
    buyer_name: z.optional(z.unknown()),
    required_workers_left: z.optional(z.unknown()),
    status: z.optional(z.unknown()),
    taskImg: z.optional(z.unknown()),
  }),
  reply: Inserted,
})

/** The texts of the task as they were when the work was submitted. `current` is false when they were edited since. */
export const taskOfSubmission = endpoint({
  method: 'GET',
  path: '/submissions/:id/task',
  summary: 'The version of the task that a submission was made for',
  access: { who: 'signed-in' },
  scope: 'review',
  params: ById,
  reply: z.object({
    taskVersion: z.int(),
    current: z.boolean(),
    task_title: z.string(),
    task_detail: z.string(),
    submission_info: z.string(),
  }),
  errors: ['submission_not_found'],
})

/** Returns submissions to a Buyer's tasks, a Worker's own, or for an Admin any user's. `role` is ignored. */
export const taskToReview = endpoint({
  method: 'GET',
  path: '/task-to-review',
  summary: 'Submissions by status, oldest first while pending',
  access: { who: 'signed-in', named: 'query' },
  scope: 'review',
  query: z.extend(Paging, {
    email: Email,
    role: z.optional(Role),
    status: z.optional(SubmissionStatus),
    state: z.optional(SubmissionState),
  }),
  reply: z.array(Submission),
})

export const updateSubmissionStatus = endpoint({
  method: 'PATCH',
  path: '/update-submission-status/:id',
  summary: 'Approve work: its reward is transferred from escrow to the worker, once',
  access: { who: ['Buyer'] },
  scope: 'review',
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.object({ status: z.literal('approved'), buyer: z.optional(z.unknown()) }),
  reply: Updated,
  errors: ['submission_not_found', 'account_frozen', 'already_decided', 'state_conflict'],
})

export const APPROVALS_MAX = 500

/** `modified` is false where the submission was approved before, or has an `error`: then it stays as it is. */
export const approveSubmissions = endpoint({
  method: 'POST',
  path: '/submissions/approvals',
  summary:
    'Approve several submissions, each on its own; one that cannot be approved does not stop the others',
  access: { who: ['Buyer'] },
  scope: 'review',
  limit: { perUser: 600, perNetwork: 6_000 },
  body: z.object({ ids: z.array(Id).check(z.minLength(1), z.maxLength(APPROVALS_MAX)) }),
  reply: z.object({
    results: z.array(
      z.object({
        _id: Id,
        modified: z.boolean(),
        error: z.nullable(z.object({ code: z.string(), message: z.string() })),
      }),
    ),
  }),
  errors: ['account_frozen'],
})

/** The wire's spelling is `my-submissoin`. Pages are zero-based; a `cursor` can be used instead of `page`. */
export const mySubmissions = endpoint({
  method: 'GET',
  path: '/my-submissoin/:email',
  summary: "A worker's own submissions, newest first",
  access: { who: 'signed-in', named: 'path' },
  scope: 'account:read',
  params: ByEmail,
  query: z.extend(Paging, {
    page: z.optional(PageIndex),
    status: z.optional(z.enum([...SubmissionStatus.options, 'all'])),
    state: z.optional(SubmissionState),
    /** Words of the task's title and details. */
    q: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({ tasks: z.array(Submission), totalTasks: z.int() }),
  totals: ['x-total-count'],
})

export const mySubmissionCounts = endpoint({
  method: 'GET',
  path: '/my-submission-counts',
  summary: "How many of the caller's submissions are in each state that occurs",
  access: { who: ['Worker'] },
  scope: 'account:read',
  reply: z.array(z.object({ state: SubmissionState, count: z.int() })),
})

export const myTaskStates = endpoint({
  method: 'GET',
  path: '/my-task-states',
  summary: "The state of the caller's latest submission to each of these tasks, if any",
  access: { who: ['Worker'] },
  scope: 'account:read',
  query: z.object({ tasks: z.optional(Ids) }),
  reply: z.array(z.object({ taskId: Id, state: SubmissionState })),
})

export const payBonus = endpoint({
  method: 'POST',
  path: '/submissions/:id/bonus',
  summary: 'Pay a bonus for approved work, once per idempotency key',
  access: { who: ['Buyer'] },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({
    coins: whole(1, REWARD_MAX),
    message: z.optional(text(REASON_MAX)),
  }),
  reply: Inserted,
})
