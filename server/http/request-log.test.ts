import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { buildApp } from '#server/app.ts'
import { useApi } from '#tests/support/api.ts'
import { emitRequestEnds, type RequestEnds } from './request-ends.ts'
import { ErrorLog, logRequests, redactSecrets } from './request-log.ts'

test('no line contains the query or the headers of a request, nor those that an error carries', async () => {
  for (const level of ['info', 'trace'] as const) {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const app = Fastify({ logger: redactSecrets({ level, stream }) })
    const headers = { authorization: 'Bearer secret' }
    const error = Object.assign(new Error('Refused by the provider'), { headers, raw: { headers } })
    app.get('/', async ({ log }) => {
      log.error({ err: error }, 'an error')
      log.warn({ reason: error }, 'a reason')
      log.trace({ options: { headers } }, 'what a library was given')
    })
    await app.inject({ url: '/?code=secret', headers })
    assert.ok(lines.some((line) => line.includes('Refused by the provider')))
    assert.ok(lines.some((line) => line.includes('request completed')))
    assert.deepEqual(
      lines.filter((line) => line.includes('secret')),
      [],
    )
  }
})

test('a request is one line with its method, path, status and duration, also when it fails or finds no route', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const app = Fastify({ logger: redactSecrets({ level: 'info', stream }), logController: new ErrorLog() })
  const ends: RequestEnds = new EventEmitter()
  logRequests(ends)
  emitRequestEnds(app, ends)
  app.get('/', () => 'done')
  app.get('/hijacked', (_request, reply) => reply.hijack().raw.end('done'))
  for (const url of ['/?page=2', '/hijacked', '/none']) await app.inject(url)
  const logged = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    logged.map(({ req, res, msg }) => [req.method, req.url, res.statusCode, msg]),
    [
      ['GET', '/', 200, 'request completed'],
      ['GET', '/hijacked', 200, 'request completed'],
      ['GET', '/none', 404, 'request completed'],
    ],
  )
  for (const { reqId, responseTime } of logged) {
    assert.ok(reqId)
    assert.equal(typeof responseTime, 'number')
  }
})

describe('the log of the server', () => {
  const api = useApi()

  test('has a line per request, also of one that the router cannot read', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const app = await buildApp(api.instance.context, { level: 'info', stream })
    try {
      for (const url of ['/%zz?token=secret', '/api/my-task/%zz', '/healthz']) await app.inject(url)
      assert.deepEqual(
        lines.map((line) => {
          const { req, res, msg } = JSON.parse(line)
          return [req.method, req.url, res.statusCode, msg]
        }),
        [
          ['GET', '/%zz', 400, 'request completed'],
          ['GET', '/api/my-task/%zz', 400, 'request completed'],
          ['GET', '/healthz', 200, 'request completed'],
        ],
      )
    } finally {
      await app.close()
    }
  })

  test('has the IP address of the client behind trusted proxies, also where the router cannot read the request', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const { context } = api.instance
    const config = { ...context.config, trustProxy: ['loopback', '10.0.0.0/8'] }
    const app = await buildApp({ ...context, config }, { level: 'info', stream })
    try {
      for (const [remoteAddress, forwarded, logged] of [
        ['127.0.0.1', '198.51.100.9, 203.0.113.7,10.1.2.3', '203.0.113.7'],
        ['127.0.0.1', '10.1.2.4, 10.1.2.3', '10.1.2.4'],
        ['127.0.0.1', ' ', '127.0.0.1'],
        ['192.0.2.1', '203.0.113.7', '192.0.2.1'],
      ] as const)
        for (const url of ['/healthz', '/%zz']) {
          await app.inject({ url, remoteAddress, headers: { 'x-forwarded-for': forwarded } })
          assert.equal(JSON.parse(lines.pop() ?? '').req.remoteAddress, logged, `${url} ${forwarded}`)
        }
    } finally {
      await app.close()
    }
  })
})
