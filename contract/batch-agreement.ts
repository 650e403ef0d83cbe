import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Paging, Time } from './shapes.ts'

const Chosen = z.nullable(z.union([z.string(), z.array(z.string())]))

/**
 * The answers to one question of an item. `majority` is the most frequent one, null when several are equally frequent (`isTie`);
 * `share` are those who gave it, from 0 to 1. `estimate` is the true answer after Dawid and Skene, null when several are equally
 * probable, and `probability` that of it, from 0 to 1.
 */
export const QuestionAgreement = z.object({
  name: z.string(),
  answers: z.int(),
  majority: Chosen,
  isTie: z.boolean(),
  share: z.number(),
  estimate: Chosen,
  probability: z.number(),
})
export type QuestionAgreement = z.infer<typeof QuestionAgreement>

/** `share` is the least of its questions; null while none has two answers. */
export const ItemAgreement = z.object({
  item: z.int(),
  input: z.record(z.string(), z.string()),
  answers: z.int(),
  share: z.nullable(z.number()),
  questions: z.array(QuestionAgreement),
})
export type ItemAgreement = z.infer<typeof ItemAgreement>

export const batchAgreement = endpoint({
  method: 'GET',
  path: '/batches/:id/agreement',
  summary: 'Per item of a batch, the majority and the estimated true answer to each question with options',
  access: { who: ['Buyer'] },
  scope: 'review',
  params: ById,
  query: z.extend(Paging, {
    disagreeing: z.optional(z.literal('true')),
    /** Only this item. */
    item: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number))),
  }),
  reply: z.array(ItemAgreement),
})

/** `items` have two answers or more: `unanimous` ones agree, `tied` ones have no majority. `share` is the mean of their majorities. */
export const QuestionAgreementSummary = z.object({
  name: z.string(),
  label: z.string(),
  items: z.int(),
  unanimous: z.int(),
  tied: z.int(),
  share: z.number(),
  /** The steps of the estimate, and whether it stopped changing within them. */
  iterations: z.int(),
  isConverged: z.boolean(),
})
export type QuestionAgreementSummary = z.infer<typeof QuestionAgreementSummary>

/** `computedAt` is null before the first computation. Answers that were submitted or revised since are not counted yet. */
export const batchAgreementSummary = endpoint({
  method: 'GET',
  path: '/batches/:id/agreement/summary',
  summary: 'How far the answers to the questions of a batch with options agree',
  access: { who: ['Buyer'] },
  scope: 'review',
  params: ById,
  reply: z.object({
    computedAt: z.nullable(Time),
    isDue: z.boolean(),
    answers: z.int(),
    questions: z.array(QuestionAgreementSummary),
  }),
})
export type BatchAgreementSummary = z.infer<typeof batchAgreementSummary.reply>

/**
 * Of `golden` answers to items with known answers, `right` are correct. Of `compared` answers to items that other workers
 * answered too, `agreeing` equal the estimates. An error rate is the estimated probability of a wrong answer, from 0 to 1.
 * `score` is that of the whole project, in percent, null before it counts. Below the project's least score `isOffered` is
 * false: the worker gets no more items.
 */
export const BatchWorker = z.object({
  worker: z.string(),
  answers: z.int(),
  golden: z.int(),
  right: z.int(),
  compared: z.int(),
  agreeing: z.int(),
  score: z.nullable(z.number()),
  scoreOf: z.nullable(z.enum(['golden', 'agreement'])),
  isOffered: z.boolean(),
  errorRates: z.array(z.object({ name: z.string(), rate: z.nullable(z.number()) })),
})
export type BatchWorker = z.infer<typeof BatchWorker>

export const batchWorkers = endpoint({
  method: 'GET',
  path: '/batches/:id/workers',
  summary: 'The workers of a batch by their pseudonyms, with how far their answers agree',
  access: { who: ['Buyer'] },
  scope: 'review',
  params: ById,
  query: Paging,
  reply: z.array(BatchWorker),
})
