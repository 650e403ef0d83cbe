import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startOtlpReceiver } from '#tests/support/otlp-receiver.ts'
import { startServerProcess } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** prom-client has the API of OpenTelemetry as a dependency of its own; without an SDK it does nothing. */
const API = '@opentelemetry/api/'
const SECRET = 'nobody.in.particular'

describe('tracing', () => {
  const db = useDatabase()
  const env = (collector: string) => ({
    DATABASE_URL: db.url,
    DEMO: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  })

  test('a collector receives spans of requests, their statements and jobs, without personal data, and may be away', async () => {
    const collector = await startOtlpReceiver()
    const { spans } = collector
    const server = await startServerProcess({ env: env(collector.url) })
    const traceId = 'abcdef0123456789abcdef0123456789'
    const headers = { traceparent: `00-${traceId}-0123456789abcdef-01` }
    const read = await fetch(`${server.url}/api/task-list-worker?q=${SECRET}`, { headers })
    const post = await fetch(`${server.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${SECRET}@example.com`, password: SECRET }),
    })
    await fetch(`${server.url}/api/my-task/${SECRET}@example.com`)
    const spanOf = (name: string) => spans.find((span) => span.name === name)
    const statementsOf = (name: string) =>
      spans.filter((span) => span.parentSpanId !== undefined && span.parentSpanId === spanOf(name)?.spanId)
    const requests = ['GET /api/task-list-worker', 'POST /api/auth/sign-in', 'GET /api/my-task/:email']
    await eventually(() => requests.every((name) => spanOf(name) !== undefined))
    await eventually(() => requests.slice(0, 2).every((name) => statementsOf(name).length > 0))
    await eventually(() => statementsOf('job close-due-tasks').length > 0)
    collector.close()
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    await server.stop()
    assert.doesNotMatch(server.output, /OTLP|ECONNREFUSED/, 'a collector that is away changes nothing')

    assert.equal(spanOf('GET /api/task-list-worker')?.traceId, traceId)
    for (const [name, { status }] of [
      ['GET /api/task-list-worker', read],
      ['POST /api/auth/sign-in', post],
    ] as const) {
      const attributes = Object.fromEntries(
        spanOf(name)?.attributes.map(({ key, value }) => [key, value]) ?? [],
      )
      assert.equal(Number(attributes['http.response.status_code']?.intValue), status)
      for (const statement of statementsOf(name)) assert.equal(statement.traceId, traceId)
    }
    assert.doesNotMatch(JSON.stringify(spans), new RegExp(`${SECRET}|@|127\\.0\\.0\\.1`))
  })

  test('without the setting no SDK of OpenTelemetry is loaded', () => {
    const loaded = (files: string[]) => {
      const script = `
        import { registerHooks } from 'node:module'
        const loaded = []
        registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
        for (const file of ${JSON.stringify(files)}) await import(file)
        console.log(loaded.filter((url) => url.includes('@opentelemetry/') && !url.includes('${API}')).length)
        process.exit()`
      const node = ['--input-type=module', '--eval', script]
      return Number(execFileSync(process.execPath, node, { cwd: ROOT, encoding: 'utf8' }))
    }
    const files = ['app', 'jobs/start', 'database/connect', 'tracing'].map((name) =>
      join(ROOT, 'server', `${name}.ts`),
    )
    assert.equal(loaded(files), 0)
    assert.ok(loaded([join(ROOT, 'server/open-telemetry.ts')]) > 0)
  })
})
