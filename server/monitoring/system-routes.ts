import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/system.ts'
import type { Context } from '#server/context.ts'
import type { ReplicaState } from '#server/database/replica.ts'
import type { LoadShedder } from '#server/http/load-shedding.ts'
import { serve } from '#server/http/serve.ts'
import { MAIL_QUEUES } from '#server/jobs/mail-jobs.ts'
import { countOutbox } from '#server/jobs/outbox-relay.ts'
import { type FailedJobRow, readFailedJobs, readJobStates, type StatesRow } from '#server/jobs/pg-boss.ts'
import { presentFailedJob } from '#server/jobs/present.ts'
import { lastAudit } from '#server/ledger/last-audit.ts'
import {
  countCardEvents,
  type FailedCardEventRow,
  readFailedCardEvents,
} from '#server/payments/card-event-failures.ts'
import { readCardHealth } from '#server/payments/card-health.ts'
import { readGrowth } from './sizes.ts'

const FAILURES_MAX = 50
const MAIL = new Set(MAIL_QUEUES)

/** Registers the Admin's overview of the system: audit, jobs, mail, card events and failures. */
export function systemRoutes(app: FastifyInstance, context: Context, shedder: LoadShedder): void {
  const { database, replicas, config } = context
  const startedAt = new Date().toISOString()

  serve(app, context, contract.system, async ({ db }) => {
    const [audit, states, failedJobs, { pending }, cardEvents, failedEvents, growth, cards] =
      await Promise.all([
        lastAudit(database),
        readJobStates(db),
        readFailedJobs(db),
        countOutbox(db),
        countCardEvents(db),
        readFailedCardEvents(db, FAILURES_MAX),
        readGrowth(db, config),
        readCardHealth(context),
      ])
    const connections = database.connections()
    const { waiting, retried, failed, last_received_at: lastReceivedAt } = cardEvents
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
      troubles: [...failedJobs.map(presentJob), ...failedEvents.map(presentCardEvent)]
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

function presentCardEvent(event: FailedCardEventRow): contract.FailedJobSummary {
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
