import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { FailedJob } from './jobs.ts'
import { Time } from './shapes.ts'

/** How much of something waits, is tried again after a failure, and was given up. */
export const Work = z.object({ waiting: z.int(), retried: z.int(), failed: z.int() })
export type Work = z.infer<typeof Work>

/** Something that did not succeed, with what it was about: background work, a mail, or a message of the card processor's. */
export const FailedJobSummary = z.extend(FailedJob, {
  _id: z.string(),
  kind: z.enum(['job', 'mail', 'webhook']),
})
export type FailedJobSummary = z.infer<typeof FailedJobSummary>

/** `audit` is the last one that ran by itself; null before the first. Counts of what was given up reach back 14 days. */
export const System = z.object({
  program: z.object({ startedAt: Time, memoryMb: z.int(), turnedAway: z.int() }),
  database: z.object({ connections: z.int(), idle: z.int(), waiting: z.int(), retries: z.int() }),
  audit: z.nullable(z.object({ balanced: z.boolean(), time: Time, tookMs: z.int() })),
  jobs: Work,
  mail: Work,
  webhooks: z.extend(Work, { lastReceivedAt: z.nullable(Time) }),
  outbox: z.int(),
  troubles: z.array(FailedJobSummary),
})
export type System = z.infer<typeof System>

export const system = endpoint({
  method: 'GET',
  path: '/system',
  summary: 'Whether all is well: this instance, its database, the last audit, and what failed',
  access: { who: ['Admin'] },
  reply: System,
})
