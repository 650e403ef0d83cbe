import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { useApi } from '#tests/support/api.ts'
import { anInstance } from '#tests/support/instance.ts'

const SCRIPT = 'window.app = 1'
const webDir = mkdtempSync(join(tmpdir(), 'tallywork-pages-'))
mkdirSync(join(webDir, 'login'))
for (const page of ['index.html', '__spa-fallback.html', 'login/index.html'])
  writeFileSync(join(webDir, page), `<!doctype html><script>${SCRIPT}</script><script src="/a.js"></script>`)

describe('response headers', () => {
  const api = useApi({ webDir, writeLimitFactor: 0.1 })
  after(() => rmSync(webDir, { recursive: true, force: true }))
  const get = (url: string, headers: Record<string, string> = {}) => api.instance.app.inject({ url, headers })

  test('every response forbids sniffing, framing, referrers, and device access', async () => {
    for (const url of [
      '/',
      '/login',
      '/dashboard',
      '/no/such/page',
      '/no-such.js',
      '/images/x.webp',
      '/healthz',
      '/metrics',
      '/api/all-task',
      '/api/nothing',
      '/api/user-details/x@y.z',
      '/api/openapi.json',
      '/api/docs',
      '/%ZZ',
    ]) {
      const { headers } = await get(url)
      assert.equal(headers['x-content-type-options'], 'nosniff', url)
      assert.equal(headers['x-frame-options'], 'DENY', url)
      assert.match(String(headers['referrer-policy']), /^(strict-origin-when-cross-origin|no-referrer)$/, url)
      assert.match(
        String(headers['permissions-policy']),
        /camera=\(\).*microphone=\(\).*geolocation=\(\)/,
        url,
      )
      assert.equal(headers['x-powered-by'], undefined)
      assert.equal(headers.server, undefined)
    }
  })

  test('a response to a script says nothing of documents, and is never stored', async () => {
    const fetched = await get('/api/user-details/x@y.z', { 'sec-fetch-dest': 'empty' })
    assert.equal(fetched.headers['x-content-type-options'], 'nosniff')
    assert.equal(fetched.headers['cache-control'], 'no-store')
    assert.deepEqual(directives(fetched.headers['content-security-policy'])['frame-ancestors'], ["'none'"])
    for (const name of ['x-frame-options', 'referrer-policy', 'permissions-policy'])
      assert.equal(fetched.headers[name], undefined)
    const page = await get('/dashboard', { 'sec-fetch-dest': 'empty' })
    assert.equal(page.headers['x-frame-options'], 'DENY')
  })

  test('a 429 and a 503 carry Retry-After', async () => {
    const message = { name: 'Ruma', email: 'ruma@example.com', subject: 'Hello', message: 'A question' }
    assert.equal((await api.anyone.post('/contact', message)).status, 201)
    const { status, headers } = await api.anyone.post('/contact', message)
    assert.equal(status, 429)
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 3600, `Retry-After: ${String(headers['retry-after'])}`)
  })

  test('an HTML page runs only its own scripts; an API response may load nothing', async () => {
    const own = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`
    for (const url of ['/', '/login', '/dashboard/anything', '/no/such/page']) {
      const policy = directives((await get(url)).headers['content-security-policy'])
      const stripe = ['https://js.stripe.com', 'https://*.js.stripe.com']
      assert.deepEqual(policy['script-src'], ["'self'", own, ...stripe], url)
      assert.deepEqual(policy['frame-src'], [
        ...stripe,
        'https://hooks.stripe.com',
        'https://www.openstreetmap.org',
      ])
      assert.deepEqual(policy['connect-src'], ["'self'", 'https://api.stripe.com'])
      assert.deepEqual(policy['default-src'], ["'self'"])
      assert.deepEqual(policy['img-src'], ["'self'", 'data:', 'blob:'])
      for (const none of ['object-src', 'base-uri', 'frame-ancestors'])
        assert.deepEqual(policy[none], ["'none'"])
      assert.deepEqual(policy['form-action'], ["'self'"])
    }
    for (const url of ['/api/all-task', '/api/nothing', '/api/docs', '/api/user-details/x@y.z']) {
      const policy = directives((await get(url)).headers['content-security-policy'])
      assert.deepEqual(policy['default-src'], ["'none'"], url)
      assert.deepEqual(policy['frame-ancestors'], ["'none'"], url)
      assert.equal(policy['script-src'], undefined, url)
    }
  })

  test('HSTS is sent on https only', async () => {
    assert.equal((await get('/')).headers['strict-transport-security'], undefined)
    const secure = await anInstance(api.database, { webDir, publicUrl: 'https://work.example.com' })
    try {
      for (const url of ['/', '/api/all-task', '/nothing']) {
        const said = String((await secure.app.inject({ url })).headers['strict-transport-security'])
        assert.match(said, /^max-age=(\d{8,}); includeSubDomains$/)
      }
    } finally {
      await secure.close()
    }
  })

  test('no other site may read a response or is granted a preflight', async () => {
    const origin = 'https://evil.example'
    for (const { endpoint } of ENDPOINTS) {
      if (endpoint.path === '/live') continue
      const url = `/api${endpoint.path.replaceAll(/:\w+/g, 'x')}`
      const preflight = await api.instance.app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin, 'access-control-request-method': endpoint.method },
      })
      assert.ok(preflight.statusCode >= 400, url)
      const response = await api.instance.app.inject({ method: endpoint.method, url, headers: { origin } })
      for (const { headers } of [preflight, response])
        assert.deepEqual(
          Object.keys(headers).filter((name) => name.startsWith('access-control')),
          [],
          url,
        )
    }
  })

  test('no URL redirects to another site', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/..',
      '/%2f%2fevil.example',
      '/\\evil.example',
      '/%5cevil.example',
      '///evil.example/login',
      '/login//evil.example',
      '/.//evil.example',
      '/%0d%0alocation:%20https://evil.example',
      '/login?returnTo=https://evil.example',
      '/api/auth/oidc/nobody/start?returnTo=//evil.example',
      '/api/auth/oidc/demo/callback?error=x&returnTo=https://evil.example',
    ]) {
      for (const host of ['localhost:4700', 'evil.example']) {
        const { headers } = await get(path, { host, 'x-forwarded-host': 'evil.example' })
        const to = new URL(String(headers.location ?? '/'), 'http://localhost:4700')
        assert.equal(to.host, 'localhost:4700', `${path} leads to ${headers.location}`)
      }
    }
  })
})

function directives(header: unknown): Record<string, string[] | undefined> {
  return Object.fromEntries(
    String(header)
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  )
}
