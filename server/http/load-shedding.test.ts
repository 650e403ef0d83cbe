import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Server } from 'node:net'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import Fastify, { type FastifyRequest } from 'fastify'
import { eventually } from '#tests/support/eventually.ts'
import { testConfig } from '#tests/support/factories.ts'
import { setSecurityHeaders } from './headers.ts'
import { createLoadShedder, shedLoad } from './load-shedding.ts'
import { sendReadyResponses } from './ready-response.ts'
import { cacheResponses } from './response-cache.ts'

describe('the load shedder', () => {
  /** With one connection 32 requests are the steady limit, 64 the limit of a burst. */
  const aShedder = () => {
    const clock = { ms: 1_000 }
    return { clock, shedder: createLoadShedder(1, () => clock.ms) }
  }
  const times = (count: number, what: () => void) => Array.from({ length: count }, what)

  test('admits a burst, and requests that come while it is served', () => {
    const { clock, shedder } = aShedder()
    times(60, shedder.start)
    clock.ms += 400
    assert.equal(shedder.isOverloaded(), false)
    times(40, shedder.finish)
    clock.ms += 10_000
    assert.equal(shedder.isOverloaded(), false)
    times(40, shedder.start)
    assert.equal(shedder.isOverloaded(), false, 'the half second begins when the limit is exceeded again')
  })

  test('rejects when a queue stays for half a second, until it has halved', () => {
    const { clock, shedder } = aShedder()
    times(40, shedder.start)
    clock.ms += 501
    assert.equal(shedder.isOverloaded(), true)
    times(10, shedder.finish)
    assert.equal(shedder.isOverloaded(), false, 'there is room for two')
    times(2, shedder.start)
    assert.equal(shedder.isOverloaded(), true, 'the same overload continues')
    times(20, shedder.finish)
    times(40, shedder.start)
    assert.equal(shedder.isOverloaded(), false, 'a new burst after it')
  })

  test('admits no more than complete in half a second where responses are slow', () => {
    const { clock, shedder } = aShedder()
    times(40, shedder.start)
    clock.ms += 501
    assert.equal(shedder.isOverloaded(), true)
    clock.ms += 1_000
    times(20, shedder.finish)
    assert.equal(shedder.isOverloaded(), true, '20 in flight, 20 completed in the last second')
    times(11, shedder.finish)
    assert.equal(shedder.isOverloaded(), false)
    times(1, shedder.start)
    assert.equal(shedder.isOverloaded(), true, 'ten in flight')
    times(6, shedder.finish)
    times(30, shedder.start)
    assert.equal(shedder.isOverloaded(), false, 'the overload is over')
  })

  test('rejects more than the limit of a burst at once', () => {
    const { shedder } = aShedder()
    times(63, shedder.start)
    assert.equal(shedder.isOverloaded(), false)
    shedder.start()
    assert.equal(shedder.isOverloaded(), true)
  })
})

describe('in an overload', () => {
  /** A server with one database connection whose 64 requests in flight wait for `release`. */
  async function anOverloadedServer() {
    const app = Fastify()
    const config = { ...testConfig, databasePool: 1, publicUrl: 'https://work.example.com' }
    sendReadyResponses(app)
    setSecurityHeaders(app, config)
    cacheResponses(app, config, () => 1_000)
    const shedder = shedLoad(app, config)
    const { promise: released, resolve: release } = Promise.withResolvers<string>()
    const handled: string[] = []
    app.post('/api/slow', async ({ url }) => {
      handled.push(url)
      return released
    })
    for (const path of ['/healthz', '/metrics', '/api/live', '/api/images'])
      app.get(path, { config: { shedsLoad: false } }, async () => 'here')
    for (const path of ['/', '/images/:name'])
      app.get(path, { config: { isPublic: true } }, async () => 'here')
    const readyOf = (request: FastifyRequest) => app.responseCache.ready('list', request)
    app.get('/api/list', { config: { readyResponse: readyOf } }, (request, reply) =>
      app.responseCache.respond('list', request, reply, async () => ({ body: ['here'], cursor: undefined })),
    )
    await Promise.all(Array.from({ length: 10 }, () => app.inject('/api/list')))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const slow = (body = '{}') =>
      fetch(`${url}/api/slow`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const burst = Array.from({ length: 64 }, () => slow())
    await eventually(async () => handled.length === 64)
    return { app, port, url, slow, burst, handled, shedder, release }
  }

  test('requests are rejected with all headers of a response, and served again afterwards', async () => {
    const { app, slow, burst, handled, shedder, release } = await anOverloadedServer()
    try {
      const rejected = await slow()
      assert.equal(rejected.status, 503)
      assert.match(await rejected.text(), /"code":"unavailable"/)
      for (const [name, value] of [
        ['retry-after', /^\d+$/],
        ['content-type', /^application\/json/],
        ['content-language', /^en$/],
        ['cache-control', /no-store/],
        ['content-security-policy', /default-src 'none'/],
        ['strict-transport-security', /max-age/],
        ['x-content-type-options', /nosniff/],
      ] as const)
        assert.match(rejected.headers.get(name) ?? '', value, name)
      assert.equal(shedder.rejected, 1)
      assert.equal(handled.length, 64, 'its handler did not run')

      release('done')
      for (const response of await Promise.all(burst)) assert.equal(response.status, 200)
      assert.equal((await slow()).status, 200)
    } finally {
      release('')
      await app.close()
    }
  })

  test('rejection comes before the body is read', async () => {
    const { app, slow, release } = await anOverloadedServer()
    try {
      assert.equal((await slow('{ this is no JSON')).status, 503)
    } finally {
      release('')
      await app.close()
    }
  })

  test('however its URL is written, the matched route decides that a request is rejected', async () => {
    const { app, port, release } = await anOverloadedServer()
    try {
      for (const url of [
        '/api/slow',
        '/%61pi/slow',
        '/api/%73low',
        'http://127.0.0.1/api/slow',
        '/api/slow?/api/live',
      ])
        assert.match(await send(port, `POST ${url} HTTP/1.1`), /^HTTP\/1.1 503 /, url)
    } finally {
      release('')
      await app.close()
    }
  })

  test('health, metrics, pages, pictures, live streams, cached responses and unknown paths are served', async () => {
    const { app, url, release } = await anOverloadedServer()
    try {
      for (const path of [
        '/healthz',
        '/metrics',
        '/',
        '/api/live',
        '/api/images',
        '/images/one.webp',
        '/api/list',
      ])
        assert.equal((await fetch(url + path)).status, 200, path)
      assert.equal((await fetch(`${url}/nothing`)).status, 404)
    } finally {
      release('')
      await app.close()
    }
  })
})

test('a request whose client has disconnected is in flight until its read ends', async () => {
  const app = Fastify()
  const config = { ...testConfig, databasePool: 1 }
  setSecurityHeaders(app, config)
  cacheResponses(app, config)
  const shedder = shedLoad(app, config)
  const held = Promise.withResolvers<string>()
  let reads = 0
  app.get('/api/list', (request, reply) =>
    app.responseCache.respond('list', request, reply, async () => {
      reads++
      return { body: [await held.promise], cursor: undefined }
    }),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { port } = app.server.address() as AddressInfo
    const aborter = new AbortController()
    const requests = Array.from({ length: 64 }, () =>
      fetch(`http://127.0.0.1:${port}/api/list`, { signal: aborter.signal }),
    )
    await eventually(async () => reads === 6 && shedder.isOverloaded())
    aborter.abort()
    await Promise.allSettled(requests)
    await eventually(async () => (await connectionsOf(app.server)) === 0)
    assert.equal(shedder.isOverloaded(), true)
    held.resolve('late')
    await eventually(async () => !shedder.isOverloaded())
  } finally {
    held.resolve('late')
    await app.close()
  }
})

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))()

/** Sends a request line as it is, with an empty body, and returns the response. */
function send(port: number, requestLine: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let response = ''
    socket.on('data', (chunk) => {
      response += String(chunk)
    })
    socket.on('error', reject).on('close', () => resolve(response))
    socket.write(`${requestLine}\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
  })
}
