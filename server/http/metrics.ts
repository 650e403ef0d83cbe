import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { query } from '#server/database/database.ts'
import { lastAudit } from '#server/ledger/last-audit.ts'
import type { Context } from './context.ts'
import type { Gate } from './load.ts'
import type { RequestTimes } from './request-times.ts'

// The job runner brings its table itself, so this stands outside the statements checked against the migrated schema.
const JOB_STATES = {
  name: 'metrics_job_states',
  sql: `select name, state::text, count(*) as jobs from jobs.job
         where state in ('created', 'retry', 'active', 'failed') group by 1, 2`,
}
type JobState = { name: string; state: string; jobs: number }
const outboxWaiting = query<{ waiting: number }, []>(
  'metrics_outbox',
  'select count(*) as waiting from outbox',
)

/**
 * `GET /metrics` for Prometheus: requests and their latency by route, the process, the pool, jobs, the outbox, and what
 * the last audit found. Served to whoever brings METRICS_TOKEN as a bearer token; without that setting only in
 * development.
 */
export function metricsRoutes(app: FastifyInstance, context: Context, gate: Gate, times: RequestTimes): void {
  const { config, database } = context
  if (config.metricsToken === undefined && config.production) return

  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  app.addHook('onResponse', (request, reply, done) => {
    times.observe(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime)
    done()
  })

  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const pool = gauge('database_pool_connections', 'Connections of this program, by state', ['state'])
  const retries = gauge('database_retries', 'Statements and transactions run again after a lost race')
  const turnedAway = gauge(
    'calls_turned_away',
    'Calls refused because too many were under way; not part of the requests',
  )
  const jobs = gauge('jobs', 'Background jobs by queue and state', ['queue', 'state'])
  const outbox = gauge('outbox_waiting', 'What transactions left behind and no relay has taken yet')
  const balanced = gauge('audit_balanced', '1 when the last audit found the books balanced')
  const age = gauge('audit_age_seconds', 'How long ago the last audit was')
  const figures = gauge('ledger_figure', 'What the last audit counted: coins by place, accounts, transfers', [
    'of',
  ])

  async function read(): Promise<void> {
    for (const [state, count] of Object.entries(database.connections())) pool.set({ state }, count)
    retries.set(database.counters.retries)
    turnedAway.set(gate.turnedAway)
    jobs.reset()
    for (const { name, state, jobs: count } of await database.run<JobState>(JOB_STATES, []))
      jobs.set({ queue: name, state }, count)
    const [queue] = await outboxWaiting(database)
    outbox.set(queue?.waiting ?? 0)
    const audit = await lastAudit(database)
    if (audit === undefined) return
    balanced.set(audit.balanced ? 1 : 0)
    age.set((Date.now() - Date.parse(audit.time)) / 1000)
    for (const [of, amount] of Object.entries(audit.figures)) figures.set({ of }, amount)
  }

  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request.headers.authorization, config.metricsToken)) {
      return reply.status(401).type('text/plain').send('A bearer token is needed')
    }
    // A database that is down is no reason to be silent about the rest.
    await read().catch((error: Error) =>
      request.log.warn({ reason: error.message }, 'metrics without the database'),
    )
    return reply.type(registry.contentType).send(`${await registry.metrics()}${times.text()}`)
  })
}

function mayRead(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}
