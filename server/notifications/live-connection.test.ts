import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { eventually } from '#tests/support/eventually.ts'
import { Connection } from './live-connection.ts'

const CLIENT = {
  userId: 'u',
  sessionId: 's',
  locale: 'en' as const,
  watchesTasks: true,
  until: Number.POSITIVE_INFINITY,
}

describe('a client that reads nothing of its event stream', () => {
  const server = createServer()
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Opens a stream whose client reads nothing and keeps its own half open. */
  async function anUnreadStream(): Promise<{ response: ServerResponse; socket: Socket }> {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {}).pause()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
    return { response: response.writeHead(200, { connection: 'close' }), socket }
  }

  /** Returns a connection that has begun, and whose events wait because the buffers of the operating system are full. */
  async function aFullConnection() {
    const { response } = await anUnreadStream()
    const connection = new Connection(CLIENT, response)
    connection.begin(false, [], 0)
    do {
      connection.write('x'.repeat(16_384))
      await new Promise(setImmediate)
      await new Promise(setImmediate)
    } while (response.writableLength === 0 && connection.open)
    assert.ok(connection.open)
    return { response, connection }
  }

  test('is disconnected when the stream ends, also with unsent events', async () => {
    const { response, connection } = await aFullConnection()
    connection.end('crowded')
    await eventually(() => response.destroyed)
  })

  test('is disconnected when more than 256 KB wait for it', async () => {
    const { response, connection } = await aFullConnection()
    connection.write('x'.repeat(200 * 1024))
    assert.ok(connection.open)
    connection.write('x'.repeat(56 * 1024))
    assert.ok(!connection.open)
    assert.ok(response.destroyed)
  })

  test('is disconnected when more than 1,000 events wait for its missed ones to be read', async () => {
    const { response, socket } = await anUnreadStream()
    const connection = new Connection(CLIENT, response)
    for (let seq = 1; seq <= 1000; seq++) connection.event({ seq, user_id: null, body: '' })
    assert.ok(connection.open)
    connection.event({ seq: 1001, user_id: null, body: '' })
    assert.ok(!connection.open)
    assert.match(await text(socket), /"reason":"slow"/)
  })
})
