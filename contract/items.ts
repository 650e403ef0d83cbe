import * as z from 'zod/mini'
import { Answers } from './answer-form.ts'
import { BATCH_ROWS_MAX } from './batches.ts'
import { endpoint } from './endpoint.ts'
import { ItemPreview } from './projects.ts'
import { Acknowledged, ById, Id, Inserted, Time, whole } from './shapes.ts'

/** The reservations of items of a batch that a worker can let lapse within a day before they get no more of it. */
export const LAPSED_ITEMS_MAX = 5

const ItemContent = z.omit(ItemPreview, { missing: true })

/** An item that the caller has reserved until `expiresAt`. Items are numbered from 1, in the order of the file. */
export const ReservedItem = z.extend(ItemContent, {
  taskId: Id,
  number: z.int(),
  expiresAt: Time,
})
export type ReservedItem = z.infer<typeof ReservedItem>

const ByNumber = z.object({
  id: Id,
  number: z.pipe(
    z.string().check(z.regex(/^\d{1,6}$/)),
    z.pipe(z.transform(Number), whole(0, BATCH_ROWS_MAX)),
  ),
})

export const itemsInWork = endpoint({
  method: 'GET',
  path: '/tasks/:id/items',
  summary:
    "The items of a batch's task that the caller has reserved, in their order, and how many they have submitted",
  access: { who: 'signed-in' },
  params: ById,
  /** `left` are the answers that nobody has taken yet, also of items that the caller has worked on. */
  reply: z.object({ reserved: z.array(ReservedItem), submitted: z.int(), left: z.int() }),
})

/** Called again while an item is being worked on, it reserves the one after it, so that a client can load it ahead. */
export const takeItem = endpoint({
  method: 'POST',
  path: '/tasks/:id/items',
  summary: "Reserve the next item of a batch's task",
  access: { who: ['Worker'] },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ById,
  reply: ReservedItem,
  status: 201,
})

/** Also for a user who is no Worker any more: a role change keeps reservations. */
export const returnItem = endpoint({
  method: 'DELETE',
  path: '/tasks/:id/items/:number',
  summary: 'Return a reserved item; the caller does not get it again',
  access: { who: 'signed-in' },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ByNumber,
  reply: z.object({ acknowledged: z.boolean(), deletedCount: z.int() }),
})

export const submitItem = endpoint({
  method: 'POST',
  path: '/tasks/:id/items/:number/answers',
  summary: 'Submit the answers to a reserved item',
  access: { who: ['Worker'] },
  limit: { perUser: 3600, perNetwork: 36_000 },
  params: ByNumber,
  body: z.object({ answers: Answers }),
  reply: Inserted,
})

/** For the worker, the buyer, reviewers of the submission and Admins. */
export const itemOfSubmission = endpoint({
  method: 'GET',
  path: '/submissions/:id/item',
  summary: 'The item that a submission is about, with its answers',
  access: { who: 'signed-in' },
  scope: 'review',
  params: ById,
  reply: z.extend(ItemContent, {
    number: z.int(),
    answers: Answers,
    /** The row of the file; null for the worker, who sees what the instructions show of it. */
    input: z.nullable(z.record(z.string(), z.string())),
  }),
  errors: ['submission_not_found'],
})

export const reviseItem = endpoint({
  method: 'PUT',
  path: '/submissions/:id/answers',
  summary: 'Hand in revised answers to an item',
  access: { who: 'signed-in' },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  body: z.object({ answers: Answers }),
  reply: Acknowledged,
})
