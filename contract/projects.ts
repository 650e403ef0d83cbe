import * as z from 'zod/mini'
import { AnswerForm, Answers, FormExample } from './answer-form.ts'
import { Audience } from './audience.ts'
import { endpoint } from './endpoint.ts'
import { RESERVATION_MINUTES, REVIEW_HOURS_MAX, REWARD_MAX } from './product.ts'
import { ById, Coins, Id, LongText, line, Paging, Time, Title, Version, whole } from './shapes.ts'
import { TaskCategory } from './task-categories.ts'

/** The projects that a buyer can have at a time, archived ones not counted. */
export const PROJECTS_MAX = 200
export const WORKERS_PER_ITEM_MAX = 20
export const EXAMPLES_MAX = 10
/** The answers after which the score of a worker counts, by default and at most. */
export const SCORE_AFTER = 5
export const SCORE_AFTER_MAX = 1_000
/** The most that are counted of a project's reserved and of its pending answers. A count of this number means this many or more. */
export const PROJECT_WORK_MAX = 1_000
/** The longest name of a column. */
export const COLUMN_MAX = 80
export const PICTURE_COLUMNS_MAX = 10
/** The variables of the instructions, repeated ones counted each time. */
export const VARIABLES_MAX = 50

const VARIABLE = /\$\{([^{}\r\n]{1,80})\}/g

/** Returns the names of the variables of a template, `${name}`, each once. Braces with spaces only are text. */
export function variablesOf(template: string): string[] {
  const names = Array.from(template.matchAll(VARIABLE), ([, name = '']) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** Returns a template with its variables replaced by the values of an item. A variable without a value stays. */
export function fillTemplate(template: string, input: Readonly<Record<string, string>>): string {
  return template.replace(VARIABLE, (variable, name: string) =>
    Object.hasOwn(input, name.trim()) ? (input[name.trim()] ?? '') : variable,
  )
}

/**
 * Returns the instructions of a task, filled with the values of an item (`input`, its row). Everyone but the worker also gets
 * the whole row below.
 */
export function detailOfTask(
  instructions: string,
  input: Readonly<Record<string, string>> | null,
  isWorker: boolean,
): string {
  if (input === null) return instructions
  if (isWorker) return fillTemplate(instructions, input)
  const row = Object.entries(input).map(([column, value]) => `${column}: ${value}`)
  return `${fillTemplate(instructions, input)}\n\n${row.join('\n')}`
}

/** Who is offered more items, and what is approved automatically (docs/specification/projects.md#quality). */
export const Quality = z.object({
  /** In percent: workers with a lower score are offered no more items. Null: everybody is. */
  leastScore: z.nullable(whole(1, 100)),
  /** The answers after which a score counts. */
  scoreAfter: whole(1, SCORE_AFTER_MAX),
  /** In percent: the share of equal answers to an item with which they are approved automatically. Null: none are. */
  approveShare: z.nullable(whole(51, 100)),
})
export type Quality = z.infer<typeof Quality>

/** A template of tasks: `instructions` has variables that a row of a file fills, `form` what each worker enters. */
export const ProjectContent = z.object({
  title: Title,
  instructions: LongText.check(
    z.refine(
      (instructions) => Array.from(instructions.matchAll(VARIABLE)).length <= VARIABLES_MAX,
      `At most ${VARIABLES_MAX} variables`,
    ),
  ),
  /** The columns whose values are URLs of pictures, shown with the instructions. */
  pictureColumns: z.array(line(COLUMN_MAX)).check(z.maxLength(PICTURE_COLUMNS_MAX)),
  examples: z.array(FormExample).check(z.maxLength(EXAMPLES_MAX, `At most ${EXAMPLES_MAX} examples`)),
  form: AnswerForm,
  category: TaskCategory,
  /** Coins for one worker's answers to one item. */
  reward: whole(1, REWARD_MAX),
  workersPerItem: whole(1, WORKERS_PER_ITEM_MAX),
  /** Null: the review period of the marketplace. */
  reviewHours: z.nullable(whole(1, REVIEW_HOURS_MAX)),
  reservationMinutes: whole(RESERVATION_MINUTES.min, RESERVATION_MINUTES.max),
  quality: z.optional(Quality),
  /** Who may work on the batches. Without it every worker. */
  audience: z.optional(Audience),
})
export type ProjectContent = z.infer<typeof ProjectContent>

/** `version` rises with every change. Batches keep the version that they were made with. */
export const Project = z.extend(ProjectContent, {
  _id: Id,
  version: z.int(),
  /** The columns that a file of this project needs. */
  columns: z.array(z.string()),
  createdAt: Time,
  changedAt: Time,
  archivedAt: z.nullable(Time),
})
export type Project = z.infer<typeof Project>

/** The work on the batches of a project, in numbers. */
export const ProjectWork = z.object({
  /** The batches that were not cancelled. */
  batches: z.int(),
  /** Files without errors that are not paid. */
  unpaidBatches: z.int(),
  /** Files whose errors have to be corrected. */
  failedBatches: z.int(),
  /** The items of paid batches, and the answers that they want. */
  items: z.int(),
  slots: z.int(),
  /** Slots that are reserved and not yet submitted. */
  reserved: z.int().check(z.maximum(PROJECT_WORK_MAX)),
  /** Work that waits for the buyer's decision. */
  pending: z.int().check(z.maximum(PROJECT_WORK_MAX)),
  /** Slots that are paid, or refunded because their batch closed. */
  done: z.int(),
  escrow: Coins,
})
export type ProjectWork = z.infer<typeof ProjectWork>

/** `activeAt`: the last change of the project, file or payment, or the last computed agreement, which follows answers. */
export const ListedProject = z.extend(
  z.pick(Project, {
    _id: true,
    title: true,
    version: true,
    reward: true,
    workersPerItem: true,
    createdAt: true,
    changedAt: true,
    archivedAt: true,
  }),
  { activeAt: Time, work: ProjectWork },
)
export type ListedProject = z.infer<typeof ListedProject>

export const projects = endpoint({
  method: 'GET',
  path: '/projects',
  summary: "The caller's projects with the work on them, newest first; archived ones only with `archived`",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  query: z.extend(Paging, {
    archived: z.optional(z.enum(['true', 'false'])),
    /** A part of the title. */
    q: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.array(ListedProject),
})

export const createProject = endpoint({
  method: 'POST',
  path: '/projects',
  summary: 'Create a project: a template of tasks with an answer form',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  body: ProjectContent,
  reply: Project,
  status: 201,
  errors: ['state_conflict'],
})

export const project = endpoint({
  method: 'GET',
  path: '/projects/:id',
  summary: "One of the caller's projects",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  params: ById,
  reply: Project,
})

/** `version` is the version that the caller has seen. Another one is refused, so that no change is lost. */
export const changeProject = endpoint({
  method: 'PUT',
  path: '/projects/:id',
  summary: 'Change a project; batches that were made before keep their version',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  body: z.extend(ProjectContent, { version: Version }),
  reply: Project,
  errors: ['state_conflict'],
})

export const setProjectArchived = endpoint({
  method: 'PUT',
  path: '/projects/:id/archived',
  summary: 'Archive a project, or bring it back; an archived one takes no batches',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  body: z.object({ archived: z.boolean() }),
  reply: Project,
  errors: ['state_conflict'],
})

/** An item as a worker sees it. `missing` are the columns that the instructions need and `input` lacks. */
export const ItemPreview = z.object({
  title: z.string(),
  instructions: z.string(),
  pictures: z.array(z.object({ column: z.string(), url: z.string() })),
  examples: z.array(FormExample),
  form: AnswerForm,
  reward: z.int(),
  missing: z.array(z.string()),
})
export type ItemPreview = z.infer<typeof ItemPreview>

/** `input` is a row of a file, by its columns. `answers` are checked as those of a worker. */
export const previewProject = endpoint({
  method: 'POST',
  path: '/projects/:id/preview',
  summary: 'An item of a project as a worker sees it; stores nothing',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  body: z.object({
    input: z.record(z.string().check(z.maxLength(COLUMN_MAX)), z.string().check(z.maxLength(10_000))),
    answers: z.optional(Answers),
  }),
  /** `answerText` is the text form of the answers, null without any. */
  reply: z.extend(ItemPreview, { answerText: z.nullable(z.string()) }),
  idempotency: 'own',
})
