import * as z from 'zod/mini'
import { Answers } from './answer-form.ts'
import { endpoint } from './endpoint.ts'
import { REASON_MAX } from './rejections.ts'
import { ById, Id, Paging, Time, text } from './shapes.ts'
import { REJECTION_CATEGORIES, SUBMISSION_STATES } from './submission-states.ts'

/** The decisions of one request. A client sends those of a file in groups. */
export const DECISIONS_MAX = 500

/**
 * One worker's answers to one item. `worker` is a pseudonym: the same for all work of a worker for this buyer, and another one for
 * other buyers.
 */
export const BatchAnswer = z.object({
  _id: Id,
  /** The item, numbered from 1 in the order of the file. */
  item: z.int(),
  input: z.record(z.string(), z.string()),
  worker: z.string(),
  answers: Answers,
  state: z.enum(SUBMISSION_STATES),
  acceptedAt: z.nullable(Time),
  submittedAt: Time,
  approvedAt: z.nullable(Time),
  rejectedAt: z.nullable(Time),
  workSeconds: z.nullable(z.int()),
  /** Why it was rejected; empty otherwise. */
  reason: z.string(),
  /** The share of the majority of the item, from 0 to 1: see ItemAgreement. */
  agreement: z.nullable(z.number()),
  /** Whether these answers are those of the majority; null where there is none. */
  isMajority: z.nullable(z.boolean()),
  /** The known answers of the item; null for other items. */
  known: z.nullable(Answers),
  /** Whether these answers are the known ones; null for other items. */
  isRight: z.nullable(z.boolean()),
})
export type BatchAnswer = z.infer<typeof BatchAnswer>

const filter = {
  state: z.optional(z.enum(SUBMISSION_STATES)),
  worker: z.optional(z.string().check(z.maxLength(40))),
  /** Words that the text form of the answers contains. */
  q: z.optional(z.string().check(z.maxLength(200))),
  /** Only items on which answers differ. */
  disagreeing: z.optional(z.literal('true')),
}

export const BatchAnswerFilter = z.extend(Paging, { ...filter, sort: z.optional(z.enum(['item', 'newest'])) })

export const batchAnswers = endpoint({
  method: 'GET',
  path: '/batches/:id/answers',
  summary: "The answers to a batch's items, by item or newest first",
  access: { who: ['Buyer'] },
  scope: 'review',
  params: ById,
  query: BatchAnswerFilter,
  reply: z.array(BatchAnswer),
})

/** What was answered to a question with options or with numbers. Rejected work does not count. */
export const QuestionSummary = z.object({
  name: z.string(),
  label: z.string(),
  /** How many answered. Where several options can be chosen, it is less than the sum of their counts. */
  answers: z.int(),
  /** The answers by option, in the order of the form; empty for numbers. */
  options: z.array(z.object({ option: z.string(), count: z.int() })),
  numbers: z.nullable(
    z.object({
      count: z.int(),
      min: z.number(),
      max: z.number(),
      mean: z.number(),
      median: z.number(),
      /**
       * How many answers each value has; of more than ten values, each of ten ranges of equal width that has answers, with its
       * smallest and its largest one.
       */
      ranges: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })),
    }),
  ),
})
export type QuestionSummary = z.infer<typeof QuestionSummary>

export const batchSummary = endpoint({
  method: 'GET',
  path: '/batches/:id/summary',
  summary: 'The answers to the questions of a batch that have options or numbers, counted',
  access: { who: ['Buyer'] },
  scope: 'review',
  params: ById,
  reply: z.array(QuestionSummary),
})

/** The response is a file (text/csv, UTF-8), not JSON. `raw`: values that a spreadsheet would run as formulas stay as they are. */
export const batchAnswersCsv = endpoint({
  method: 'GET',
  path: '/batches/:id/answers/csv',
  summary: "All answers to a batch's items as a CSV file, with columns for decisions",
  access: { who: ['Buyer'] },
  scope: 'review',
  params: ById,
  query: z.object({ raw: z.optional(z.literal('true')) }),
  reply: z.unknown(),
})

/** The response is a file (application/x-ndjson) with an object per line, whose names are the columns of the CSV file. */
export const batchAnswersJsonLines = endpoint({
  method: 'GET',
  path: '/batches/:id/answers/json-lines',
  summary: "All answers to a batch's items as JSON lines, with names for decisions",
  access: { who: ['Buyer'] },
  scope: 'review',
  params: ById,
  reply: z.unknown(),
})

export const Decision = z.object({
  submission: Id,
  decision: z.enum(['approve', 'reject']),
  /** What the worker reads about a rejection. */
  reason: z.optional(text(REASON_MAX)),
  category: z.optional(z.enum(REJECTION_CATEGORIES)),
  requirement: z.optional(text(REASON_MAX)),
})
export type Decision = z.infer<typeof Decision>

/** `unchanged`: it was decided so before. `refused`: it stays as it is, because of `error`. */
export const DecisionResult = z.object({
  submission: Id,
  result: z.enum(['approved', 'rejected', 'unchanged', 'refused']),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
})
export type DecisionResult = z.infer<typeof DecisionResult>

/** With `preview` nothing changes: the results are those that the decisions would have now. */
export const decideBatch = endpoint({
  method: 'POST',
  path: '/batches/:id/decisions',
  summary: 'Approve and reject answers to a batch, each on its own, or preview the results',
  access: { who: ['Buyer'] },
  scope: 'review',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({
    preview: z.boolean(),
    decisions: z.array(Decision).check(
      z.minLength(1),
      z.maxLength(DECISIONS_MAX),
      z.refine(
        (all) => new Set(all.map(({ submission }) => submission)).size === all.length,
        'A submission has two decisions',
      ),
    ),
  }),
  reply: z.array(DecisionResult),
  errors: ['account_frozen'],
})
