import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startOtlpReceiver } from '#tests/support/otlp-receiver.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** prom-client has the API of OpenTelemetry as a dependency of its own; without an SDK it does nothing. */
const API = '@opentelemetry/api/'
const NOBODY = 'nobody.in.particular'

/** Nothing listens there: every request of the server fails and is logged. */
const DEAD = '127.0.0.1:9'
const SETTINGS = {
  AUTH_SECRET: 'auth-secret-0123456789abcdef0123456789',
  METRICS_TOKEN: 'metrics-token-0123456789',
  STRIPE_SECRET_KEY: 'sk_test_0123456789secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789secret',
  OIDC_CLIENT_SECRET: 'oidc-client-secret-0123456789',
  GOOGLE_CLIENT_SECRET: 'google-client-secret-0123456789',
  IMAGES_HOST_KEY: 'images-host-key-0123456789',
}
const SMTP_PASSWORD = 'smtp-password-0123456789'
const PASSWORD = 'Sesame!the-password'

describe('logs and traces', () => {
  const db = useDatabase()
  let collector: Awaited<ReturnType<typeof startOtlpReceiver>>
  let server: ServerProcess
  before(async () => {
    collector = await startOtlpReceiver()
    server = await startServerProcess({
      env: {
        ...SETTINGS,
        DATABASE_URL: db.url,
        LOG_LEVEL: 'trace',
        DEMO: '0',
        CARD_PROVIDER: 'stripe',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789',
        STRIPE_API_HOST: `http://${DEAD}`,
        OIDC_ISSUER: `http://${DEAD}`,
        OIDC_CLIENT_ID: 'tallywork',
        GOOGLE_CLIENT_ID: 'tallywork',
        SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@${DEAD}`,
        MAIL_FROM: 'no-reply@example.com',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        IMAGES_HOST_URL: `http://${DEAD}/1/upload`,
      },
    })
  })
  after(() => server.stop())

  test('a collector receives spans of requests, their statements and jobs, without personal data', async () => {
    const { spans } = collector
    const traceId = 'abcdef0123456789abcdef0123456789'
    const headers = { traceparent: `00-${traceId}-0123456789abcdef-01` }
    const read = await fetch(`${server.url}/api/task-list-worker?q=${NOBODY}`, { headers })
    const post = await fetch(`${server.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${NOBODY}@example.com`, password: NOBODY }),
    })
    await fetch(`${server.url}/api/my-task/${NOBODY}@example.com`)
    const spanOf = (name: string) => spans.find((span) => span.name === name)
    const statementsOf = (name: string) =>
      spans.filter((span) => span.parentSpanId !== undefined && span.parentSpanId === spanOf(name)?.spanId)
    const requests = ['GET /api/task-list-worker', 'POST /api/auth/sign-in', 'GET /api/my-task/:email']
    await eventually(() => requests.every((name) => spanOf(name) !== undefined))
    await eventually(() => requests.slice(0, 2).every((name) => statementsOf(name).length > 0))
    await eventually(() => statementsOf('job close-due-tasks').length > 0)
    // It is away from here on.
    collector.close()
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)

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
    assert.doesNotMatch(JSON.stringify(spans), new RegExp(`${NOBODY}|@|127\\.0\\.0\\.1`))
  })

  test('the log contains no password, token, cookie, key or code, even at the trace level', async () => {
    const secrets = new Map<string, string>(Object.entries(SETTINGS))
    secrets.set('the SMTP password', SMTP_PASSWORD)
    secrets.set('the password', PASSWORD)
    secrets.set('the new password', `${PASSWORD}2`)
    let cookie = ''
    const ask = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(server.url + path, {
        method,
        redirect: 'manual',
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), cookie, ...headers },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const value = /^[^=]+=([^;]{16,})/.exec(line)?.[1]
        if (value !== undefined) secrets.set(`a cookie of ${path}`, value)
      }
      return response
    }

    const email = 'ruma@example.com'
    const signedUp = await ask('POST', '/api/auth/sign-up', { name: 'Ruma', email, password: PASSWORD })
    assert.equal(signedUp.status, 201)
    cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { token } = (await (await ask('POST', '/api/auth/token')).json()) as { token: string }
    secrets.set('the ID token', token)
    const authorization = `Bearer ${token}`
    assert.equal(
      (await ask('POST', '/api/user-data', { email, role: 'Buyer' }, { authorization })).status,
      200,
    )
    assert.ok(
      (await ask('POST', '/api/create-payment-intent', { price: 10 }, { authorization })).status >= 500,
    )

    await ask('POST', '/api/auth/sign-in', { email, password: `${PASSWORD}2` })
    await ask('POST', '/api/auth/sign-in', `{"email":"${email}","password":"${PASSWORD}"`)
    await ask('POST', '/api/auth/request-reset', { email })
    secrets.set('a reset token', 'reset-token-0123456789-0123456789-012345678')
    await ask('POST', '/api/auth/reset', { token: secrets.get('a reset token'), password: `${PASSWORD}2` })
    await ask(
      'POST',
      '/api/auth/change-password',
      { currentPassword: PASSWORD, password: `${PASSWORD}2` },
      { authorization },
    )
    secrets.set('a code of a sign-in service', 'the-code-0123456789')
    await ask('GET', `/api/auth/oidc/oidc/callback?code=the-code-0123456789&state=x`)
    for (const id of ['oidc', 'google']) await ask('GET', `/api/auth/oidc/${id}/start`)
    secrets.set('a link that ends mails', 'unsubscribe-0123456789')
    await ask('GET', '/unsubscribe?token=unsubscribe-0123456789')
    await ask('GET', '/metrics', undefined, { authorization: `Bearer ${SETTINGS.METRICS_TOKEN}` })
    await ask(
      'POST',
      '/api/webhooks/card',
      { id: 'evt_1' },
      { 'stripe-signature': 't=1,v1=signature-0123456789' },
    )
    const form = new FormData()
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png')
    await fetch(`${server.url}/api/images`, { method: 'POST', body: form, headers: { authorization } })

    const code = /\/setup#code=([\w-]+)/.exec(server.output)?.[1] ?? ''
    assert.ok(code.length > 20)
    await ask('POST', '/api/setup', { code, name: 'Ruma', email: 'admin@example.com', password: 'short' })
    await ask('POST', '/api/setup-admin', {
      code,
      name: 'Ruma',
      email: 'admin@example.com',
      password: 'short',
    })
    await eventually(() => /a mail could not be sent/.test(server.output))

    assert.ok(/request completed/.test(server.output) && /ECONNREFUSED/.test(server.output))
    for (const [what, secret] of secrets)
      assert.ok(
        !server.output.includes(secret),
        `The log contains ${what}: ${lineWith(server.output, secret)}`,
      )
    assert.equal(server.output.split(code).length - 1, 1, 'the setup code is printed once')
  })

  test('a collector that is away changes nothing', async () => {
    await server.stop()
    const { port } = new URL(collector.url)
    const failed = new RegExp(`OTLP|ECONNREFUSED\\S* \\S+:${port}\\b`)
    assert.doesNotMatch(server.output, failed)
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

function lineWith(output: string, text: string): string {
  return output.split('\n').find((line) => line.includes(text)) ?? ''
}
