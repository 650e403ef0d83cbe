import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Time } from './shapes.ts'

/** A kind of background work: how much of it waits, runs, and has failed for good. */
export const JobQueue = z.object({
  name: z.string(),
  /** How often it runs, in seconds; null for work that comes when there is some. */
  every: z.nullable(z.int()),
  waiting: z.int(),
  active: z.int(),
  failed: z.int(),
  lastDoneAt: z.nullable(Time),
})
export type JobQueue = z.infer<typeof JobQueue>

/** Work that did not succeed: `failed` was given up and waits for a person, `retry` is tried again at `nextAt`. */
export const FailedJob = z.object({
  _id: z.uuid(),
  queue: z.string(),
  state: z.enum(['failed', 'retry']),
  about: z.string(),
  reason: z.string(),
  attempts: z.int(),
  time: Time,
  nextAt: z.nullable(Time),
})
export type FailedJob = z.infer<typeof FailedJob>

/** `outbox`: what was committed and has not been passed on to live pages and mail yet. */
export const Jobs = z.object({
  queues: z.array(JobQueue),
  troubled: z.array(FailedJob),
  outbox: z.int(),
})
export type Jobs = z.infer<typeof Jobs>

export const jobs = endpoint({
  method: 'GET',
  path: '/jobs',
  summary: 'Background work: queues with their counts, and what has failed and why',
  access: { who: ['Admin'] },
  reply: Jobs,
})

export const retryJob = endpoint({
  method: 'POST',
  path: '/jobs/:id/retry',
  summary: 'Try a failed job again now',
  access: { who: ['Admin'] },
  params: ById,
  reply: z.object({ acknowledged: z.boolean(), modifiedCount: z.int() }),
  idempotency: 'own',
})
