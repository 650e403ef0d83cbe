import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { CARD_FAILURE_KINDS } from '#contract/system.ts'
import type { Context } from '#server/context.ts'
import type { LoadShedder } from '#server/http/load-shedding.ts'
import type { RequestEnds } from '#server/http/request-ends.ts'
import type { Failure } from '#server/payments/failures.ts'
import { measureDatabase } from './database-metrics.ts'
import { measureReplicas } from './replica-metrics.ts'

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]

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
export function metricsRoutes(
  app: FastifyInstance,
  context: Context,
  shedder: LoadShedder,
  ends: RequestEnds,
): void {
  const { config } = context
  if (config.metricsToken === undefined && !config.isDevelopment) return

  const ofProcess = processMetrics()
  const registry = new Registry()
  measureRequests(ends, registry)
  measureServer(app, context, shedder, registry)
  measureReplicas(app, context, registry)
  countCardFailures(app, context, registry)
  const readDatabase = measureDatabase(context.database, registry)

  app.get('/metrics', { config: { shedsLoad: false } }, async (request, reply) => {
    if (!isAuthorized(request.headers.authorization, config.metricsToken)) {
      return reply.status(401).type('text/plain').send('A bearer token is needed')
    }
    await readDatabase(request.log)
    return reply.type(registry.contentType).send(await Registry.merge([ofProcess, registry]).metrics())
  })
}

/** Registers what this server knows of itself: its connections, requests, pool and response cache. */
function measureServer(
  app: FastifyInstance,
  { database }: Context,
  shedder: LoadShedder,
  registry: Registry,
): void {
  const registers = [registry]
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
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
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
  gauge('http_connections', 'Open connections, without event streams', () => app.connectionLimit.size())
  gauge('http_requests_in_flight', 'Requests counted by load shedding', () => shedder.inFlight())
  gauge('response_cache_entries', 'Entries of the response cache', () => app.responseCache.size().entries)
  gauge(
    'response_cache_bytes',
    'Memory of the response cache, keys included',
    () => app.responseCache.size().bytes,
  )
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of this server, by state',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(database.connections())) this.set({ state }, count)
    },
  })
}

/** Counts what the card processor did not do, by kind. */
function countCardFailures(app: FastifyInstance, { cards }: Context, registry: Registry): void {
  const failures = new Counter({
    name: 'card_provider_failures_total',
    help: 'Failed requests to the card processor and refused webhooks of this instance',
    labelNames: ['kind'],
    registers: [registry],
  })
  // A series must exist before its first increase, or alert rules do not see it.
  for (const kind of CARD_FAILURE_KINDS) failures.inc({ kind }, 0)
  const count = ({ kind }: Failure) => failures.inc({ kind })
  cards.failures.on('failure', count)
  app.addHook('onClose', async () => void cards.failures.off('failure', count))
}

/** Observes every request, also cached responses, rejections and requests whose client has disconnected. */
function measureRequests(ends: RequestEnds, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  })
  ends.on('ended', ({ method, routeOptions }, { elapsedTime }, status) => {
    const route = routeOptions.url ?? 'unknown'
    durations.observe({ method, route, status }, elapsedTime / 1000)
  })
}

function isAuthorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}
