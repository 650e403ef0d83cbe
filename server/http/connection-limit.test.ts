import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import Fastify from 'fastify'
import { limitConnections } from './connection-limit.ts'

describe('connection limit', () => {
  const app = Fastify()
  const received: (() => void)[] = []
  let port = 0

  before(async () => {
    limitConnections(app, [], { total: 2, perNetwork: 2 })
    app.get('/large', () => 'x'.repeat(16 * 1024 * 1024))
    app.get('/', () => new Promise((resolve) => received.push(() => resolve('done'))))
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => app.close())

  test('a connection whose request is being served is not closed: the new one is', async () => {
    const served = [fetch(`http://127.0.0.1:${port}/`), fetch(`http://127.0.0.1:${port}/`)]
    while (received.length < 2) await once(app.server, 'request')
    const rejected = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume()
    await once(rejected, 'close')
    assert.equal(app.connectionLimit.closed, 1)
    for (const finish of received) finish()
    for (const response of await Promise.all(served)) assert.equal(response.status, 200)
  })

  test('clients that do not read their responses keep no other client out', async () => {
    const unread = Array.from({ length: 2 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    for (const socket of unread) {
      socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(app.server, 'request')
    }
    const { closed } = app.connectionLimit
    const response = await fetch(`http://127.0.0.1:${port}/nothing`)
    assert.equal(response.status, 404)
    assert.equal(app.connectionLimit.closed, closed + 1)
    for (const socket of unread) socket.destroy()
  })
})
