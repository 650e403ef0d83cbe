import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { FailedJob } from './jobs.ts'
import { Time } from './shapes.ts'

/** Counts of work by state: waiting, retried after a failure, failed for good. */
export const JobCounts = z.object({ waiting: z.int(), retried: z.int(), failed: z.int() })
export type JobCounts = z.infer<typeof JobCounts>

/** A failed background job, email, or webhook of the card processor. */
export const FailedJobSummary = z.extend(FailedJob, {
  _id: z.string(),
  kind: z.enum(['job', 'mail', 'webhook']),
})
export type FailedJobSummary = z.infer<typeof FailedJobSummary>

/** `audit` is the last scheduled audit; null before the first. Counts of failed work cover 14 days. */
export const System = z.object({
  program: z.object({ startedAt: Time, memoryMb: z.int(), turnedAway: z.int() }),
  database: z.object({ connections: z.int(), idle: z.int(), waiting: z.int(), retries: z.int() }),
  audit: z.nullable(z.object({ balanced: z.boolean(), time: Time, tookMs: z.int() })),
  jobs: JobCounts,
  mail: JobCounts,
  webhooks: z.extend(JobCounts, { lastReceivedAt: z.nullable(Time) }),
  outbox: z.int(),
  troubles: z.array(FailedJobSummary),
})
export type System = z.infer<typeof System>

export const system = endpoint({
  method: 'GET',
  path: '/system',
  summary: 'Health of the system: this instance, its database, the last audit, and failed work',
  access: { who: ['Admin'] },
  reply: System,
})
