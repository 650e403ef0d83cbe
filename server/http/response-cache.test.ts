import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyRequest } from 'fastify'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, aTask, testConfig } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { handleErrors } from './errors.ts'
import { setSecurityHeaders } from './headers.ts'
import { sendReadyResponses } from './ready-response.ts'
import { Refusal } from './refusal.ts'
import { cacheResponses } from './response-cache.ts'

const MINUTE_MS = 60_000
const MAX_BYTES = 16 * 1024 * 1024
const MAX_ENTRIES = 5_000
const away = () => new Refusal('unavailable')

/** A server with one cached list whose body counts its reads, a clock that tests set, and its log. */
function aList({ padding = '' } = {}) {
  const clock = { ms: 1_000_000 }
  const state = { reads: 0, error: undefined as Error | undefined }
  const log: string[] = []
  const app = Fastify({ logger: { level: 'info', stream: { write: (line: string) => log.push(line) } } })
  handleErrors(app)
  sendReadyResponses(app)
  setSecurityHeaders(app, testConfig)
  cacheResponses(app, testConfig, () => clock.ms)
  const readyOf = (request: FastifyRequest) => app.responseCache.ready(request.url, request)
  app.get('/list', { config: { readyResponse: readyOf } }, (request, reply) =>
    app.responseCache.respond(request.url, request, reply, async () => {
      if (state.error !== undefined) throw state.error
      return { body: { reads: ++state.reads, padding }, cursor: 'next' }
    }),
  )
  const get = (headers = {}, url = '/list') => app.inject({ url, headers })
  const many = (count: number, headers = {}) => Promise.all(Array.from({ length: count }, () => get(headers)))
  return { app, clock, state, log, get, many }
}

describe('the response cache', () => {
  test('each of a few requests reads from the database', async () => {
    const { get } = aList()
    assert.equal((await get()).json().reads, 1)
    assert.equal((await get()).json().reads, 2)
  })

  test('a hundred concurrent requests share one read after the fifth', async () => {
    const { state, many } = aList()
    const responses = await many(100)
    assert.ok(responses.every(({ statusCode }) => statusCode === 200))
    assert.equal(state.reads, 6)
  })

  test('no response is shared for longer than a second', async () => {
    const { state, clock, get, many } = aList()
    await many(100)
    clock.ms += 1_000
    assert.equal((await get()).json().reads, state.reads)
    clock.ms += 1
    const before = state.reads
    assert.equal((await get()).json().reads, before + 1)
  })

  test('a cached response has the headers of one that was read', async () => {
    const { get, many } = aList()
    const own = await get()
    await many(10)
    const shared = await get()
    const lasting = ({ headers: { etag, date, ...rest } }: typeof own) => rest
    assert.deepEqual(lasting(shared), lasting(own))
    assert.equal(shared.headers['cache-control'], 'public, max-age=0, s-maxage=1')
    assert.equal(shared.headers['x-next-cursor'], 'next')
    assert.equal(shared.headers.vary, 'accept-encoding')
  })

  test('a client that has the response gets 304 without a body', async () => {
    const { get, many } = aList()
    await many(10)
    const { headers } = await get()
    const same = await get({ 'if-none-match': headers.etag })
    assert.deepEqual([same.statusCode, same.body], [304, ''])
    for (const name of ['etag', 'vary', 'cache-control', 'x-next-cursor'])
      assert.equal(same.headers[name], headers[name], name)
    assert.equal((await get({ 'if-none-match': '"another"' })).statusCode, 200)
  })

  test('repeated responses are compressed for clients that accept it', async () => {
    const { app, get, many } = aList()
    assert.equal((await get({ 'accept-encoding': 'br' })).headers['content-encoding'], undefined)
    await many(10)
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const accepting = { 'accept-encoding': `deflate, ${encoding};q=0.9` }
      await eventually(async () => (await get(accepting)).headers['content-encoding'] === encoding)
      const { bytes } = app.responseCache.size()
      const { rawPayload } = await get(accepting)
      assert.equal(JSON.parse(decompress(rawPayload).toString()).reads, 6)
      assert.equal(app.responseCache.size().bytes, bytes, 'it was compressed once')
    }
    assert.equal((await get({ 'accept-encoding': 'br;q=0' })).headers['content-encoding'], undefined)
  })

  test('a long response to a single request is compressed, unless many are being read', async () => {
    const { get, many } = aList({ padding: 'a long text '.repeat(200) })
    const accepting = { 'accept-encoding': 'br' }
    const { headers, rawPayload } = await get(accepting)
    assert.equal(headers['content-encoding'], 'br')
    assert.equal(JSON.parse(brotliDecompressSync(rawPayload).toString()).reads, 1)
    assert.equal((await get()).headers['content-encoding'], undefined)
    const plain = (await many(20, accepting)).filter((response) => !response.headers['content-encoding'])
    assert.ok(plain.length > 0)
  })

  test('HEAD has the headers of GET and no body, cached or not', async () => {
    const { app, get, many } = aList()
    const head = () => app.inject({ method: 'HEAD', url: '/list' })
    const first = await head()
    assert.deepEqual([first.statusCode, first.body], [200, ''])
    await many(10)
    const [cached, full] = [await head(), await get()]
    assert.equal(cached.body, '')
    assert.equal(cached.headers['content-length'], String(full.body.length))
    assert.equal(cached.headers.etag, full.headers.etag)
  })

  test('a failed read is retried by the next request', async () => {
    const { state, get, many } = aList()
    state.error = new Error('A bug')
    assert.ok((await many(10)).every(({ statusCode }) => statusCode === 500))
    state.error = undefined
    assert.equal((await get()).statusCode, 200)
  })

  test('while the database is away the last response is served with its age, and reads pause', async () => {
    const { state, clock, get } = aList()
    await get()
    state.error = away()
    clock.ms += 90_000
    const first = await get()
    assert.deepEqual([first.statusCode, first.headers.age, first.json().reads], [200, '90', 1])
    state.error = undefined
    clock.ms += 999
    const paused = await get()
    assert.deepEqual([paused.headers.age, paused.json().reads], ['90', 1], 'the database is not asked')
    clock.ms += 1
    const back = await get()
    assert.deepEqual([back.headers.age, back.json().reads], [undefined, 2])
  })

  test('a response older than 15 minutes is not served, nor is one that was never read', async () => {
    const { state, clock, get } = aList()
    await get()
    state.error = away()
    assert.equal((await get({}, '/list?other')).statusCode, 503)
    clock.ms += 15 * MINUTE_MS + 1
    assert.equal((await get()).statusCode, 503)
  })

  test('entries that are too old to be served are evicted', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] })
    const { app, clock, get } = aList()
    await get()
    assert.equal(app.responseCache.size().entries, 1)
    clock.ms += 15 * MINUTE_MS + 1
    mock.timers.tick(MINUTE_MS)
    assert.deepEqual(app.responseCache.size(), { entries: 0, bytes: 0 })
  })

  test('the memory of 3,000 hostile requests is bounded, keys and compressed responses included', async () => {
    const { app, get } = aList({ padding: 'x'.repeat(5_000) })
    for (let index = 0; index < 2_500; index++) await get({}, `/list?q=${index}${'k'.repeat(2_000)}`)
    const url = `/list?${'k'.repeat(14_000)}`
    for (let index = 0; index < 50; index++)
      for (let times = 0; times < 10; times++) await get({ 'accept-encoding': 'br' }, `${url}${index}`)
    const { entries, bytes } = app.responseCache.size()
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`)
    assert.ok(bytes > MAX_BYTES / 2, 'and it is used')
    assert.ok(entries <= MAX_ENTRIES)
  })

  test('there are no more than 5,000 entries', async () => {
    const { app, get } = aList()
    for (let index = 0; index < 6_000; index++) await get({}, `/list?q=${index}`)
    assert.equal(app.responseCache.size().entries, MAX_ENTRIES)
  })

  test('a closing server rejects cached responses too', async () => {
    const { app, many } = aList()
    const { promise: released, resolve: release } = Promise.withResolvers<string>()
    const { promise: closing, resolve: startedClosing } = Promise.withResolvers<void>()
    app.get('/slow', () => released)
    app.addHook('preClose', async () => startedClosing())
    await app.listen({ port: 0, host: '127.0.0.1' })
    await many(10)
    let requests = 0
    app.server.on('request', () => requests++)
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    const send = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    send('/list')
    send('/slow')
    await eventually(() => requests === 2)
    const closed = app.close()
    await closing
    send('/list')
    await eventually(() => requests === 3)
    release('slow')
    await once(socket, 'close')
    await closed
    assert.deepEqual(
      [...received.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status),
      ['200', '200', '503'],
    )
  })

  test('at the log level of production every cached response is logged like any other', async () => {
    const { state, log, many } = aList()
    await many(20)
    await many(20)
    assert.equal(state.reads, 6, 'the cache is active')
    assert.equal(log.filter((line) => line.includes('incoming request')).length, 40)
    assert.equal(log.filter((line) => line.includes('request completed')).length, 40)
  })
})

describe('cached endpoints', () => {
  const api = useApi()
  const size = () => api.instance.app.responseCache.size().entries
  const get = (path: string) => api.instance.app.inject(`/api${path}`)

  test('the order of parameters and unknown parameters make no difference to the key', async () => {
    const before = size()
    for (const query of [
      'q=zzq&limit=5',
      'limit=5&q=zzq',
      'limit=05&q=zzq',
      `q=zzq&limit=5&x=${'y'.repeat(14_000)}`,
    ])
      assert.equal((await get(`/all-task?${query}`)).statusCode, 200)
    assert.equal(size() - before, 1)
    await get('/all-task?q=zzr&limit=5')
    await get('/task-list-worker?q=zzq&limit=5')
    assert.equal(size() - before, 3)
  })

  test('have the security headers of every response, cached or not', async () => {
    const { headers: others } = await get('/top-workers')
    const responses = await Promise.all(Array.from({ length: 12 }, () => get('/all-task?q=headers')))
    for (const { headers } of responses) {
      for (const name of Object.keys(others).filter(
        (one) => !['cache-control', 'content-length', 'date'].includes(one),
      ))
        assert.equal(headers[name], others[name], name)
      assert.equal(headers['cache-control'], 'public, max-age=0, s-maxage=1')
    }
  })

  test('invalid queries are not cached', async () => {
    const before = size()
    for (const query of ['limit=0', 'pay_min=many', 'sort=best', 'q=a&q=b', 'cursor=unknown']) {
      const { statusCode } = await get(`/all-task?${query}`)
      assert.ok(statusCode === 400 || statusCode === 422, `${query}: ${statusCode}`)
    }
    assert.equal(size(), before)
  })

  test('where e-mail addresses are masked, only requests without a token share a response', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    await aTask(api.database, buyer, { title: 'Masked' })
    const admin = await anAdmin(api.database)
    const masked = await anInstance(api.database, { publicEmails: 'masked' })
    try {
      const authorization = await masked.signIn(admin)
      const buyers = async (headers = {}) => {
        const { body } = await masked.app.inject({ url: '/api/all-task?q=Masked', headers })
        return (JSON.parse(body) as { buyer: string }[]).map((task) => task.buyer)
      }
      const of = (headers = {}) => Promise.all(Array.from({ length: 12 }, () => buyers(headers)))
      assert.ok((await of()).every(([email]) => email !== buyer.email))
      assert.ok((await of({ authorization })).every(([email]) => email === buyer.email))
      assert.ok((await of()).every(([email]) => email !== buyer.email))
    } finally {
      await masked.close()
    }
  })
})
