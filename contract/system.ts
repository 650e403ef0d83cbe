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

/** A size in the database or of the picture files. `rows` is an estimate, or null; `bytesPerDay` is null before there are samples of two days. */
export const Size = z.object({
  name: z.string(),
  bytes: z.int(),
  rows: z.nullable(z.int()),
  bytesPerDay: z.nullable(z.int()),
})
export type Size = z.infer<typeof Size>

/**
 * What grows, largest first, sampled every six hours. `database` is null before the first sample; `disk` is null with an
 * external database, whose disk the server cannot see; `daysLeft` is null while nothing grows.
 */
export const Growth = z.object({
  database: z.nullable(Size),
  parts: z.array(Size),
  disk: z.nullable(z.object({ freeBytes: z.int(), totalBytes: z.int(), daysLeft: z.nullable(z.int()) })),
})
export type Growth = z.infer<typeof Growth>

/** A check of the settings at the provider. `unknown`: it could not be made. */
const CardCheck = z.object({
  name: z.enum(['secret_key', 'mode', 'publishable_key', 'webhook']),
  result: z.enum(['ok', 'failed', 'unknown']),
  detail: z.string(),
})
export type CardCheck = z.infer<typeof CardCheck>

/** Why a request to the card processor failed, or why one of its webhooks was refused. */
export const CARD_FAILURE_KINDS = [
  'authentication',
  'permission',
  'rate_limit',
  'timeout',
  'connection',
  'server_error',
  'rejected',
  'invalid_response',
  'webhook',
] as const

/**
 * The card processor: its settings as it confirms them itself, hourly, and failed requests of the last 24 hours, latest
 * first. `requestId` finds the last one in the provider's log.
 */
export const CardHealth = z.object({
  provider: z.enum(['sandbox', 'stripe']),
  mode: z.enum(['sandbox', 'test', 'live']),
  checkedAt: z.nullable(Time),
  checks: z.array(CardCheck),
  failures: z.array(
    z.object({
      operation: z.string(),
      kind: z.enum(CARD_FAILURE_KINDS),
      count: z.int(),
      status: z.nullable(z.int()),
      code: z.nullable(z.string()),
      requestId: z.nullable(z.string()),
      message: z.string(),
      lastAt: Time,
    }),
  ),
})
export type CardHealth = z.infer<typeof CardHealth>

/**
 * A read replica, as this instance sees it. `primary` says that it is the primary itself, which is not used as a replica. `lagMs` is the
 * age of the newest commit that it is known to have, in milliseconds; null before its first response.
 */
export const ReplicaHealth = z.object({
  name: z.string(),
  inUse: z.boolean(),
  primary: z.boolean(),
  lagMs: z.nullable(z.int()),
})
export type ReplicaHealth = z.infer<typeof ReplicaHealth>

/** `audit` is the last scheduled audit; null before the first. Counts of failed work cover 14 days. */
export const System = z.object({
  program: z.object({ startedAt: Time, memoryMb: z.int(), turnedAway: z.int() }),
  database: z.object({ connections: z.int(), idle: z.int(), waiting: z.int(), retries: z.int() }),
  replicas: z.array(ReplicaHealth),
  audit: z.nullable(z.object({ balanced: z.boolean(), time: Time, tookMs: z.int() })),
  jobs: JobCounts,
  mail: JobCounts,
  webhooks: z.extend(JobCounts, { lastReceivedAt: z.nullable(Time) }),
  cards: CardHealth,
  outbox: z.int(),
  growth: Growth,
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
