import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { TITLE_MAX } from './product.ts'
import { ById, Id, line, Time, Version } from './shapes.ts'
import { NewTask } from './tasks.ts'

/** The drafts and templates that a buyer can have together. */
export const TASK_DRAFTS_MAX = 100

/** How far ahead a draft can be scheduled. */
export const SCHEDULE_DAYS_MAX = 90

const DraftName = line(TITLE_MAX, 'Enter a name')

/** The fields of a task; those that are not filled in yet are left out. */
const DraftTask = z.partial(NewTask)

/** A task that is not posted. Posting removes a draft and keeps a template, which has no completion date. */
export const NewTaskDraft = z.extend(DraftTask, {
  name: z.optional(z.nullable(DraftName)),
  template: z.optional(z.boolean()),
})
export type NewTaskDraft = z.infer<typeof NewTaskDraft>

const stored = {
  _id: Id,
  /** Empty without a name of its own. */
  name: z.string(),
  template: z.boolean(),
  /** Rises with every change of the fields. */
  version: z.int(),
  createdAt: Time,
  changedAt: Time,
  /** When it is posted automatically; null for one that is not scheduled. */
  postAt: z.nullable(Time),
  /** Why it was not posted at its time; null after the next schedule. */
  failure: z.nullable(z.object({ code: z.string(), message: z.string() })),
}

export const TaskDraft = z.extend(DraftTask, stored)
export type TaskDraft = z.infer<typeof TaskDraft>

/** A draft in a list, without its long texts. */
export const ListedTaskDraft = z.extend(
  z.pick(DraftTask, {
    task_title: true,
    required_workers: true,
    payable_amount: true,
    completion_date: true,
  }),
  stored,
)
export type ListedTaskDraft = z.infer<typeof ListedTaskDraft>

const LIMIT = { perUser: 600, perNetwork: 6000 }

export const taskDrafts = endpoint({
  method: 'GET',
  path: '/task-drafts',
  summary: "The caller's drafts and templates, the last changed first, at most 100",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  reply: z.array(ListedTaskDraft),
})

export const taskDraft = endpoint({
  method: 'GET',
  path: '/task-drafts/:id',
  summary: "One of the caller's drafts or templates",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: TaskDraft,
})

export const createTaskDraft = endpoint({
  method: 'POST',
  path: '/task-drafts',
  summary: 'Save a task as a draft or a template; no coin moves until it is posted',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: LIMIT,
  body: NewTaskDraft,
  reply: TaskDraft,
  status: 201,
  errors: ['state_conflict'],
})

/**
 * A draft stays a draft and a template a template. Without a `name` it keeps its own. With `version`, the version that the buyer
 * has seen, fields that were changed since are not overwritten.
 */
export const changeTaskDraft = endpoint({
  method: 'PUT',
  path: '/task-drafts/:id',
  summary: 'Replace the fields of a draft or a template',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: LIMIT,
  params: ById,
  body: z.extend(z.omit(NewTaskDraft, { template: true }), { version: z.optional(Version) }),
  reply: TaskDraft,
  errors: ['deadline_passed', 'state_conflict'],
})

export const DraftRename = z.object({ name: DraftName })

export const renameTaskDraft = endpoint({
  method: 'PUT',
  path: '/task-drafts/:id/name',
  summary: 'Rename a draft or a template',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: LIMIT,
  params: ById,
  body: DraftRename,
  reply: TaskDraft,
})

/** Only a complete draft can be scheduled. Its coins move when it is posted, and not before. */
export const scheduleTaskDraft = endpoint({
  method: 'PUT',
  path: '/task-drafts/:id/schedule',
  summary: 'Set the time at which a draft is posted, or null for none',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: LIMIT,
  params: ById,
  body: z.object({ postAt: z.nullable(Time) }),
  reply: TaskDraft,
  errors: ['email_not_verified', 'deadline_passed', 'state_conflict'],
})

export const deleteTaskDraft = endpoint({
  method: 'DELETE',
  path: '/task-drafts/:id',
  summary: 'Delete a draft or a template',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: LIMIT,
  params: ById,
  reply: z.undefined(),
  status: 204,
})
