import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { REASON_MAX } from './rejections.ts'
import { Acknowledged, ById, Id, Paging, Time, text } from './shapes.ts'

/** The blocks that a buyer can have at a time. */
export const BLOCKS_MAX = 1000

/** The name by which a buyer knows a worker: the same for all their work, and another one for other buyers. */
export const WorkerPseudonym = z.string().check(z.regex(/^W[0-9a-f]{11}$/))
const ByWorker = z.object({ worker: z.string().check(z.maxLength(40)) })

/** A worker who has worked for the caller, with their record with the caller. */
export const MyWorker = z.object({
  worker: WorkerPseudonym,
  name: z.string(),
  submitted: z.int(),
  approved: z.int(),
  /** Work whose rejection is final. */
  rejected: z.int(),
  lastAt: Time,
  favourite: z.boolean(),
  block: z.nullable(z.object({ reason: z.string(), since: Time })),
  /** Ids of the caller's qualifications that the worker has. */
  qualifications: z.array(Id),
  /** Those of them that the worker has earned, with the right ones of their answers to items with known answers. */
  earned: z.array(z.object({ qualification: Id, right: z.int(), answers: z.int() })),
})
export type MyWorker = z.infer<typeof MyWorker>

export const myWorkers = endpoint({
  method: 'GET',
  path: '/my-workers',
  summary: 'The workers who have worked for the caller, the last one first',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  query: z.extend(Paging, {
    /** A part of the name, or the pseudonym. */
    q: z.optional(z.string().check(z.maxLength(100))),
    state: z.optional(z.enum(['favourite', 'blocked'])),
    qualification: z.optional(Id),
  }),
  reply: z.array(MyWorker),
})

export const setFavouriteWorker = endpoint({
  method: 'PUT',
  path: '/my-workers/:worker/favourite',
  summary: 'Make a worker a favourite, or end that',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ByWorker,
  body: z.object({ favourite: z.boolean() }),
  reply: Acknowledged,
})

/** What the worker has reserved or submitted stays, and is reviewed and paid as before. */
export const blockWorker = endpoint({
  method: 'PUT',
  path: '/my-workers/:worker/block',
  summary: 'Offer a worker no more work of the caller, with a reason that Admins can read',
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 120, perNetwork: 1200 },
  params: ByWorker,
  body: z.object({ reason: text(REASON_MAX, 'Enter the reason, which Admins can read') }),
  reply: Acknowledged,
  errors: ['state_conflict'],
})

export const unblockWorker = endpoint({
  method: 'DELETE',
  path: '/my-workers/:worker/block',
  summary: "End a block of the caller's",
  access: { who: ['Buyer'] },
  scope: 'tasks',
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ByWorker,
  reply: Acknowledged,
})

export const liftBlock = endpoint({
  method: 'POST',
  path: '/worker-blocks/:id/lift',
  summary: "End another user's block, with a reason",
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 300, perNetwork: 3000 },
  params: ById,
  body: z.object({ reason: text(REASON_MAX, 'Enter a reason') }),
  reply: Acknowledged,
})
