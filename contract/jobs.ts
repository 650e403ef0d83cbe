import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ById, Time } from './shapes.ts'

/** A queue of background jobs, with its counts. `failed` counts jobs that are not retried any more. */
export const JobQueue = z.object({
  name: z.string(),
  /** The interval of a scheduled queue in seconds; null for a queue whose jobs are enqueued on demand. */
  every: z.nullable(z.int()),
  waiting: z.int(),
  active: z.int(),
  failed: z.int(),
  lastDoneAt: z.nullable(Time),
})
export type JobQueue = z.infer<typeof JobQueue>

/** A job that failed: in state `failed` it is not retried any more, in state `retry` it is retried at `nextAt`. */
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

/** `outbox` counts committed events that are not yet delivered to live connections and mail. */
export const Jobs = z.object({
  queues: z.array(JobQueue),
  troubled: z.array(FailedJob),
  outbox: z.int(),
})
export type Jobs = z.infer<typeof Jobs>

export const jobs = endpoint({
  method: 'GET',
  path: '/jobs',
  summary: 'Background jobs: queues with their counts, and failed jobs with their errors',
  access: { who: ['Admin'] },
  reply: Jobs,
})

export const retryJob = endpoint({
  method: 'POST',
  path: '/jobs/:id/retry',
  summary: 'Retry a failed job now',
  access: { who: ['Admin'] },
  limit: { perUser: 1200, perNetwork: 12_000 },
  params: ById,
  reply: z.object({ acknowledged: z.boolean(), modifiedCount: z.int() }),
  idempotency: 'own',
})
