import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
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
  async function anUnreadStream(): Promise<ServerResponse> {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {}).pause()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
    return response.writeHead(200, { connection: 'close' })
  }

  test('is disconnected when the stream ends, also with unsent events', async () => {
    const response = await anUnreadStream()
    const connection = new Connection(CLIENT, response)
    connection.begin(false, [], 0)
    // Until the buffers of the operating system are full.
    do {
      connection.write('x'.repeat(16_384))
      await new Promise(setImmediate)
      await new Promise(setImmediate)
    } while (response.writableLength === 0 && connection.open)
    assert.ok(connection.open)
    connection.end('crowded')
    await eventually(() => response.destroyed)
  })

  test('is disconnected when too many events wait for it', async () => {
    const connection = new Connection(CLIENT, await anUnreadStream())
    connection.begin(false, [], 0)
    while (connection.open) {
      connection.write('x'.repeat(65_536))
      await new Promise(setImmediate)
    }
  })
})
