import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { walArchive } from '#server/backup/archive-state.ts'
import { lastBackup } from '#server/backup/last-backup.ts'
import type { Context } from '#server/context.ts'
import { duePartition, PARTITIONED_TABLES } from '#server/database/due-partitions.ts'
import type { LoadShedder } from '#server/http/load-shedding.ts'
import { MAIL_QUEUES } from '#server/jobs/mail-jobs.ts'
import { countOutbox } from '#server/jobs/outbox-relay.ts'
import { readJobStates, readOldestDue } from '#server/jobs/pg-boss.ts'
import { lastAudit } from '#server/ledger/last-audit.ts'
import { lastCheck } from '#server/payments/check-provider.ts'
import { FAILURE_KINDS, type Failure } from '#server/payments/failures.ts'
import { measureReplicas } from './replica-metrics.ts'

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]

/** Few, so that requests find a connection; one by one they outlast a scrape while the database is silent. */
const CONCURRENT_QUERIES = 3

let sharedMetrics: Registry | undefined

/** Returns the metrics of this process, whose observers of the event loop and of garbage collection cannot be stopped. */
function processMetrics(): Registry {
  if (sharedMetrics === undefined) {
    sharedMetrics = new Registry()
    collectDefaultMetrics({ register: sharedMetrics })
  }
  return sharedMetrics
}

/**
 * Serves `GET /metrics` for Prometheus: requests and their duration by route, the process, the connection pool, the
 * response cache, jobs, the outbox and the last audit. Requires METRICS_TOKEN as a bearer token; without that setting
 * the route exists only in development.
 */
export function metricsRoutes(app: FastifyInstance, context: Context, shedder: LoadShedder): void {
  const { config, database } = context
  if (config.metricsToken === undefined && !config.isDevelopment) return

  const ofProcess = processMetrics()
  const registry = new Registry()
  const registers = [registry]
  measureRequests(app, registry)

  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  counter(
    'http_requests_shed_total',
    'Requests rejected during an overload; they count as requests with status 503 too',
    () => shedder.rejected,
  )
  counter(
    'database_retries_total',
    'Statements and transactions retried after a serialization failure or a deadlock',
    () => database.counters.retries,
  )

  counter(
    'http_connections_closed_total',
    'Connections closed because too many were open: waiting ones that made room, and new ones without room',
    () => app.connectionLimit.closed,
  )

  measureReplicas(app, context, registry)

  const cardFailures = new Counter({
    name: 'card_provider_failures_total',
    help: 'Failed requests to the card processor and refused webhooks of this instance',
    labelNames: ['kind'],
    registers,
  })
  // A series must exist before its first increase, or alert rules do not see it.
  for (const kind of FAILURE_KINDS) cardFailures.inc({ kind }, 0)
  const countFailure = ({ kind }: Failure) => cardFailures.inc({ kind })
  context.cards.failures.on('failure', countFailure)
  app.addHook('onClose', async () => void context.cards.failures.off('failure', countFailure))

  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const connections = gauge('http_connections', 'Open connections, without event streams')
  const inFlight = gauge('http_requests_in_flight', 'Requests counted by load shedding')
  const pool = gauge('database_pool_connections', 'Connections of this server, by state', ['state'])
  const cacheEntries = gauge('response_cache_entries', 'Entries of the response cache')
  const cacheBytes = gauge('response_cache_bytes', 'Memory of the response cache, keys included')
  const jobs = gauge('background_jobs', 'Background jobs by queue and state', ['queue', 'state'])
  const emailWait = gauge(
    'email_wait_seconds',
    'How long the oldest email of a queue waits that is due (created) or retried (retry)',
    ['queue', 'state'],
  )
  const outbox = gauge('outbox_pending_rows', 'Rows of the outbox that no relay has processed yet')
  const outboxWait = gauge('outbox_wait_seconds', 'How long the oldest row of the outbox waits for a relay')
  const balanced = gauge(
    'audit_balanced',
    '1 when the last audit found the books balanced, 0 when not; absent before the first audit',
  )
  const age = gauge('audit_age_seconds', 'Time since the last audit')
  const backupAge = gauge('backup_age_seconds', 'Time since the last backup; absent while there is none', [
    'proof',
  ])
  const archiveAge = gauge(
    'wal_archive_age_seconds',
    'Time since WAL was last archived, or since the start of the database; absent without an archive',
  )
  const archiveFails = gauge('wal_archive_failing', '1 when the last attempt to archive WAL failed')
  const partitionDue = gauge(
    'partition_due',
    '1 while the next partition of a table should have been started',
    ['table'],
  )
  const cardChecks = gauge(
    'card_provider_check',
    '1 when the last check of the card processor passed, 0 when it failed; absent while unknown',
    ['check'],
  )
  const totals = gauge(
    'ledger_audit_value',
    'What the last audit counted: coins by place, accounts, transfers',
    ['name'],
  )

  function measureProcess(): void {
    connections.set(app.connectionLimit.size())
    inFlight.set(shedder.inFlight())
    for (const [state, count] of Object.entries(database.connections())) pool.set({ state }, count)
    const { entries, bytes } = app.responseCache.size()
    cacheEntries.set(entries)
    cacheBytes.set(bytes)
  }

  /** Reads from the database and sets gauges to the result. Gauges without one are absent; reset() would make them 0. */
  async function measureDatabase(log: FastifyBaseLogger): Promise<void> {
    const measure =
      <Result>(read: () => Promise<Result>, set: (result?: Result) => void) =>
      async () => {
        let result: Result | undefined
        try {
          result = await read()
        } catch (error) {
          log.warn({ reason: (error as Error).message }, 'could not read metrics from the database')
        }
        set(result)
      }
    const isDue = async (table: string) => (await duePartition(database.pool, table)) !== undefined
    const measurements = [
      measure(
        () => readJobStates(database),
        (rows) => {
          jobs.reset()
          if (rows === undefined) return
          // A series must exist before its first increase, or alert rules do not see it.
          for (const queue of MAIL_QUEUES) jobs.set({ queue, state: 'undeliverable' }, 0)
          for (const { name, state, jobs: count } of rows) jobs.set({ queue: name, state }, count)
        },
      ),
      measure(
        () => readOldestDue(database, MAIL_QUEUES),
        (rows = []) => {
          emailWait.reset()
          for (const { queue, state, seconds } of rows) emailWait.set({ queue, state }, seconds)
        },
      ),
      measure(
        () => countOutbox(database),
        (result) => {
          outbox.remove()
          outboxWait.remove()
          if (result === undefined) return
          outbox.set(result.pending)
          outboxWait.set(result.seconds)
        },
      ),
      measure(
        () => lastBackup(database),
        (rows = []) => {
          backupAge.reset()
          for (const { finished_at, rehearsed_at } of rows) {
            backupAge.set({ proof: 'made' }, secondsSince(finished_at))
            if (rehearsed_at !== null) backupAge.set({ proof: 'restored' }, secondsSince(rehearsed_at))
          }
        },
      ),
      measure(
        () => walArchive(database),
        (rows = []) => {
          archiveAge.remove()
          archiveFails.remove()
          for (const { archived_at, is_failing } of rows) {
            if (archived_at !== null) archiveAge.set(secondsSince(archived_at))
            archiveFails.set(is_failing ? 1 : 0)
          }
        },
      ),
      ...PARTITIONED_TABLES.map((table) =>
        measure(
          () => isDue(table),
          (due) => {
            partitionDue.remove(table)
            if (due !== undefined) partitionDue.set({ table }, due ? 1 : 0)
          },
        ),
      ),
      measure(
        () => lastCheck(database),
        (check) => {
          cardChecks.reset()
          for (const { name, result } of check?.checks ?? [])
            if (result !== 'unknown') cardChecks.set({ check: name }, result === 'ok' ? 1 : 0)
        },
      ),
      measure(
        () => lastAudit(database),
        (audit) => {
          balanced.remove()
          age.remove()
          totals.reset()
          if (audit === undefined) return
          balanced.set(audit.balanced ? 1 : 0)
          age.set(secondsSince(audit.time))
          for (const [name, value] of Object.entries(audit.figures)) totals.set({ name }, value)
        },
      ),
    ].values()
    const run = async () => {
      for (const measureNext of measurements) await measureNext()
    }
    await Promise.all(Array.from({ length: CONCURRENT_QUERIES }, run))
  }

  app.get('/metrics', { config: { shedsLoad: false } }, async (request, reply) => {
    if (!isAuthorized(request.headers.authorization, config.metricsToken)) {
      return reply.status(401).type('text/plain').send('A bearer token is needed')
    }
    measureProcess()
    await measureDatabase(request.log)
    return reply.type(registry.contentType).send(await Registry.merge([ofProcess, registry]).metrics())
  })
}

const secondsSince = (time: string) => (Date.now() - Date.parse(time)) / 1000

/** Observes every response, also cached ones and rejections. */
function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

function isAuthorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}
