import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/system.ts'
import type { Context } from '#server/context.ts'
import { query, queryOne } from '#server/database/database.ts'
import type { ReplicaState } from '#server/database/replica.ts'
import type { LoadShedder } from '#server/http/load-shedding.ts'
import { serve } from '#server/http/serve.ts'
import { lastAudit } from '#server/ledger/last-audit.ts'
import { readGrowth } from '#server/monitoring/sizes.ts'
import { readCardHealth } from '#server/payments/card-health.ts'
import { MAIL_QUEUES } from './mail-jobs.ts'
import { countOutbox } from './outbox-relay.ts'
import { type FailedJobRow, readFailedJobs, readJobStates, type StatesRow } from './pg-boss.ts'
import { presentFailedJob } from './present.ts'

const FAILED_EVENT_DAYS = 14
const FAILURES_MAX = 50
const MAIL = new Set(MAIL_QUEUES)

/** Outcomes of card events that need an operator: events that could not be processed, and payments that do not match. */
const FAILED_OUTCOMES = ['failed', 'payments_unavailable', 'payment_not_found', 'unavailable', 'refused']

// Counts at most a thousand events, which bounds the query.
const UNPROCESSED =
  'select outcome from card_events where processed_at is null order by next_try_at limit 1000'

const webhookCounts = queryOne<
  { waiting: number; retried: number; failed: number; last_received_at: string | null },
  [days: number, outcomes: string[]]
>(
  'system_webhooks',
  `select (select count(*) filter (where outcome = '') from (${UNPROCESSED}) as events) as waiting,
          (select count(*) filter (where outcome <> '') from (${UNPROCESSED}) as events) as retried,
          (select count(*) from card_events where received_at > clock_time() - $1 * interval '1 day'
              and processed_at is not null and outcome = any($2)) as failed,
          (select max(received_at) from card_events) as last_received_at`,
)
type EventRow = {
  id: string
  type: string
  intent_id: string | null
  attempts: number
  outcome: string
  at: string
  next_try_at: string | null
}
const failedEvents = query<EventRow, [days: number, outcomes: string[], count: number]>(
  'system_failed_events',
  `(select id, type, intent_id, attempts, outcome, received_at as at, next_try_at from card_events
     where processed_at is null and outcome <> '' order by next_try_at limit $3)
   union all
   (select id, type, intent_id, attempts, outcome, processed_at, null from card_events
     where received_at > clock_time() - $1 * interval '1 day' and processed_at is not null and outcome = any($2)
     order by received_at desc limit $3)`,
)

/** Registers the Admin's overview of the system: audit, jobs, mail, card events and failures. */
export function systemRoutes(app: FastifyInstance, context: Context, shedder: LoadShedder): void {
  const { database, replicas, config } = context
  const startedAt = new Date().toISOString()

  serve(app, context, contract.system, async ({ db }) => {
    const [audit, states, failedJobs, { pending }, webhooks, events, growth, cards] = await Promise.all([
      lastAudit(database),
      readJobStates(db),
      readFailedJobs(db),
      countOutbox(db),
      webhookCounts(db, FAILED_EVENT_DAYS, FAILED_OUTCOMES),
      failedEvents(db, FAILED_EVENT_DAYS, FAILED_OUTCOMES, FAILURES_MAX),
      readGrowth(db, config),
      readCardHealth(context),
    ])
    const connections = database.connections()
    const { waiting, retried, failed, last_received_at: lastReceivedAt } = webhooks
    return {
      program: {
        startedAt,
        memoryMb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
        turnedAway: shedder.rejected,
      },
      database: {
        connections: connections.total,
        idle: connections.idle,
        waiting: connections.waiting,
        retries: database.counters.retries,
      },
      replicas: replicas.states().map(presentReplica),
      audit:
        audit === undefined ? null : { balanced: audit.balanced, time: audit.time, tookMs: audit.tookMs },
      jobs: sumOf(states.filter(({ name }) => !MAIL.has(name))),
      mail: sumOf(states.filter(({ name }) => MAIL.has(name))),
      webhooks: { waiting, retried, failed, lastReceivedAt },
      cards,
      outbox: pending,
      growth: { ...growth, database: growth.database ?? null, disk: growth.disk ?? null },
      troubles: [...failedJobs.map(presentJob), ...events.map(presentEvent)]
        .toSorted((a, b) => b.time.localeCompare(a.time))
        .slice(0, FAILURES_MAX),
    }
  })
}

function sumOf(rows: StatesRow[]): contract.JobCounts {
  const count = (state: StatesRow['state']) =>
    rows.filter((row) => row.state === state).reduce((sum, { jobs }) => sum + jobs, 0)
  return {
    waiting: count('created') + count('active'),
    retried: count('retry'),
    failed: count('failed') + count('undeliverable'),
  }
}

function presentReplica({ name, isUsed, isPrimary, lagMs }: ReplicaState): contract.ReplicaHealth {
  return { name, inUse: isUsed, primary: isPrimary, lagMs: Number.isFinite(lagMs) ? Math.round(lagMs) : null }
}

function presentJob(row: FailedJobRow): contract.FailedJobSummary {
  return { ...presentFailedJob(row), kind: MAIL.has(row.name) ? 'mail' : 'job' }
}

function presentEvent(event: EventRow): contract.FailedJobSummary {
  return {
    _id: event.id,
    kind: 'webhook',
    queue: event.type,
    state: event.next_try_at === null ? 'failed' : 'retry',
    about: event.intent_id ?? '',
    reason: REASONS[event.outcome] ?? 'The event could not be processed. See the server log.',
    attempts: event.attempts,
    time: event.at,
    nextAt: event.next_try_at,
  }
}

const REASONS: Record<string, string> = {
  payments_unavailable: 'The card processor did not respond.',
  payment_not_found: 'The card processor does not know this payment.',
  refused: 'The payment does not match the order. No coins were added.',
}
