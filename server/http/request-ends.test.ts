import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { buildApp } from '#server/app.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { beginEventStream, STREAM_ROUTE } from './event-stream.ts'

describe('a request whose client disconnects', () => {
  const token = 'a token of the tests'
  const api = useApi({ metricsToken: token })

  /** A server with routes whose work waits for `finish`, and one that streams. */
  async function aServer() {
    const lines: string[] = []
    const stream = {
      write(line: string) {
        const { req, res, msg } = JSON.parse(line)
        if (/^\/(held|stream)$/.test(req?.url))
          lines.push(`${req.method} ${req.url} ${res.statusCode} ${msg}`)
      },
    }
    const app = await buildApp(api.instance.context, { level: 'info', stream })
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
    const events: string[] = []
    app.writes.on('written', () => events.push('written'))
    app.route({
      method: ['GET', 'POST'],
      url: '/held',
      handler: async ({ method }) => {
        events.push(`begun ${method}`)
        await finished
        events.push(`done ${method}`)
        return { done: true }
      },
    })
    app.get('/stream', STREAM_ROUTE, async (_request, reply) => {
      beginEventStream(app, reply).write(':\n\n')
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const samples = async () => {
      const { body } = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
      const found = body.matchAll(
        /^http_request_duration_seconds_count\{method="(\w+)",route="\/(?:held|stream)",status="(\d+)"\} (\d+)$/gm,
      )
      return Array.from(found, ([, ...sample]) => sample.join(' ')).toSorted()
    }
    return {
      app,
      events,
      finish,
      samples,
      send: (method: string, path: string) =>
        request({ port, host: '127.0.0.1', method, path })
          .on('error', () => {})
          .end(),
      lines,
    }
  }

  test('is logged and measured once with status 499, and its write is signalled when it is done', async () => {
    const { app, events, finish, samples, send, lines } = await aServer()
    try {
      for (const method of ['GET', 'POST']) {
        const client = send(method, '/held')
        await eventually(() => events.includes(`begun ${method}`))
        client.destroy()
        await eventually(() => lines.length > 0 && lines.at(-1)?.startsWith(method))
      }
      assert.ok(!events.includes('written'))
      finish()
      await eventually(() => events.includes('written'))
      assert.deepEqual(events.slice(2), ['done GET', 'done POST', 'written'])
      const [response] = await once(send('GET', '/held'), 'response')
      await once(response.resume(), 'end')
      await eventually(() => lines.length > 2)
      assert.deepEqual(lines, [
        'GET /held 499 request aborted',
        'POST /held 499 request aborted',
        'GET /held 200 request completed',
      ])
      assert.deepEqual(await samples(), ['GET 200 1', 'GET 499 1', 'POST 499 1'])
    } finally {
      finish()
      await app.close()
    }
  })

  test('is logged and measured with the status that was sent where its response had begun, as of a stream', async () => {
    const { app, samples, send, lines } = await aServer()
    try {
      const client = send('GET', '/stream')
      const [response] = await once(client, 'response')
      assert.deepEqual([lines, await samples()], [[], []])
      await once(response, 'data')
      response.on('error', () => {})
      client.destroy()
      await eventually(() => lines.includes('GET /stream 200 request completed'))
      assert.deepEqual(await samples(), ['GET 200 1'])
    } finally {
      await app.close()
    }
  })
})
