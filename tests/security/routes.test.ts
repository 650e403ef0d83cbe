import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { ENDPOINTS } from '#contract/api.ts'
import { GUIDES } from '#server/api-docs/guides.ts'
import { COMMON_HEADERS } from '#server/http/headers.ts'
import { useDatabase } from '#tests/support/database.ts'
import { anAdmin } from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'

/** The files of the pages that the test has, which are also served under these names. */
const PAGE_FILES = ['index.html', '__spa-fallback.html', 'login/index.html']
/**
 * Routes whose responses may be stored, besides the shared endpoints of the contract. Every other route is private. Names that
 * do not exist return the site's page.
 */
const STORED = [
  '/',
  '/login',
  '/login/',
  ...PAGE_FILES.map((file) => `/${file}`),
  '/robots.txt',
  '/sitemap.xml',
  '/images/:name',
  '/dev/mail/:file',
  '/api/openapi.json',
  '/api/docs',
  '/api/docs/errors',
  ...GUIDES.map(({ slug }) => `/api/docs/${slug}`),
  '/api/auth/jwks',
  '/assets/*',
  '/*',
]
const SECURITY_HEADERS = [...Object.keys(COMMON_HEADERS), 'content-security-policy']
/** They stay open; tests/live/live.test.ts and server/webhooks/event-stream.test.ts test them. */
const STREAMS = ['/api/live', '/api/events']

describe('every route', () => {
  const db = useDatabase()
  const agent = new Agent({ keepAlive: true })
  const webDir = mkdtempSync(join(tmpdir(), 'tallywork-pages-'))
  const routes: { method: string; url: string }[] = []
  let instance: Instance
  let port = 0

  before(async () => {
    mkdirSync(join(webDir, 'login'))
    for (const page of PAGE_FILES) writeFileSync(join(webDir, page), '<!doctype html>')
    const collect = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }
      fastify.addHook('onRoute', ({ method, url }) => {
        for (const each of [method].flat()) routes.push({ method: each, url })
      })
    }
    subscribe('fastify.initialization', collect)
    // With the routes that exist in development only.
    const settings = { webDir, isDevelopment: true, demo: true, metricsToken: 'a token of the tests' }
    instance = await anInstance(db.database, settings)
    unsubscribe('fastify.initialization', collect)
    await instance.app.listen({ port: 0, host: '127.0.0.1' })
    port = (instance.app.server.address() as AddressInfo).port
  })
  after(async () => {
    agent.destroy()
    await instance.close()
    rmSync(webDir, { recursive: true, force: true })
  })

  /** Sends a request whose target is written as it is. */
  async function send(method: string, path: string, headers: Record<string, string> = {}) {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request({ agent, host: '127.0.0.1', port, method, path, headers }, resolve).on('error', reject).end(),
    )
    await text(response)
    const { date, 'retry-after': retryAfter, etag, 'content-length': length, ...same } = response.headers
    return { status: response.statusCode, headers: same }
  }

  const isStored = (url: string) =>
    STORED.includes(url) ||
    ENDPOINTS.some(({ endpoint }) => endpoint.shared === true && `/api${endpoint.path}` === url)

  /** The same target in other spellings: with an escaped letter, and in absolute form. */
  const spellings = (path: string) => [
    path,
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    `http://localhost:${port}${path}`,
  ]

  /** Returns what is wrong with a route's responses. */
  async function problemsOf(method: string, url: string, headers: Record<string, string> = {}) {
    const [plain = '', ...others] = spellings(url.replaceAll(/:\w+/g, 'x').replace('*', 'x'))
    const expected = await send(method, plain, headers)
    const problems: string[] = []
    const stored = expected.headers['cache-control']
    if (!isStored(url) && stored !== 'no-store') problems.push(`${method} ${url}: ${stored}`)
    for (const name of SECURITY_HEADERS)
      if (expected.headers[name] === undefined) problems.push(`${method} ${url}: no ${name}`)
    for (const path of others)
      if (!isDeepStrictEqual(await send(method, path, headers), expected))
        problems.push(`${method} ${path}: other status or headers`)
    return problems
  }

  test('has the same status and headers in every spelling of its URL, and is never stored if private', async () => {
    assert.ok(routes.length > 100, `${routes.length} routes`)
    const problems: string[] = []
    for (const { method, url } of routes)
      if (!STREAMS.includes(url)) problems.push(...(await problemsOf(method, url)))
    assert.deepEqual(problems, [])
  })

  test('has the same status and headers in every spelling of its URL for an Admin, and is never stored if private', async () => {
    const headers = { authorization: await instance.signIn(await anAdmin(db.database)) }
    const problems: string[] = []
    for (const { method, url } of routes)
      if (method === 'GET' && !STREAMS.includes(url))
        problems.push(...(await problemsOf(method, url, headers)))
    assert.deepEqual(problems, [])
  })
})
