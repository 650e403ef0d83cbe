import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { eventually } from '#tests/support/eventually.ts'
import { drainConnections } from './drain.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A server whose requests finish when the test says so. */
async function aServer(finishMs?: number) {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false, keepAliveTimeout: 600_000 })
  const finish: ((text: string) => void)[] = []
  const sockets: Socket[] = []
  app.server.on('connection', (socket) => sockets.push(socket))
  drainConnections(app, finishMs)
  app.get('/', () => new Promise((resolve) => finish.push(resolve)))
  app.get('/parts', (_request, reply) => {
    const { raw } = reply.hijack()
    raw.writeHead(200, { 'content-length': 8 })
    raw.write('half')
    finish.push(() => raw.end('done'))
  })
  app.get('/large', () => 'x'.repeat(64 * 1024 * 1024))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, finish, sockets, port }
}

async function aClient(port: number, reads = true) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let received = ''
  if (reads) socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  await once(socket, 'connect')
  return {
    socket,
    get received() {
      return received
    },
  }
}

const closed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close'))

describe('draining connections', () => {
  test('idle and unused connections close, and a request in flight finishes with Connection: close', async () => {
    const { app, finish, port } = await aServer()
    const [busy, idle, unused] = [await aClient(port), await aClient(port), await aClient(port)]
    idle.socket.write(REQUEST)
    await eventually(() => finish.length === 1)
    finish[0]?.('first')
    await eventually(() => idle.received.endsWith('first'))
    assert.doesNotMatch(idle.received, /connection: close/i)
    busy.socket.write(REQUEST)
    await eventually(() => finish.length === 2)

    const stopped = app.close()
    await Promise.all([closed(idle.socket), closed(unused.socket)])
    assert.equal(busy.socket.closed, false)
    finish[1]?.('second')
    await Promise.all([closed(busy.socket), stopped])
    assert.match(busy.received, /connection: close/i)
    assert.match(busy.received, /second$/)
  })

  test('a request that arrives on an open connection meanwhile is served, not refused', async () => {
    const { app, finish, sockets, port } = await aServer()
    const client = await aClient(port)
    client.socket.write(REQUEST.slice(0, 10))
    await eventually(() => (sockets[0]?.bytesRead ?? 0) > 0)
    const first = await aClient(port)
    first.socket.write(REQUEST)
    await eventually(() => finish.length === 1)

    const stopped = app.close()
    await eventually(() => !app.server.listening)
    client.socket.write(REQUEST.slice(10))
    await eventually(() => finish.length === 2)
    for (const end of finish) end('served')
    await Promise.all([closed(client.socket), closed(first.socket), stopped])
    assert.match(client.received, /^HTTP\/1\.1 200.*connection: close.*served$/is)
  })

  test('a response whose headers were sent before ends its connection too', async () => {
    const { app, finish, port } = await aServer()
    const client = await aClient(port)
    client.socket.write(REQUEST.replace('/ ', '/parts '))
    await eventually(() => client.received.endsWith('half'))
    assert.doesNotMatch(client.received, /connection: close/i)
    const stopped = app.close()
    await eventually(() => !app.server.listening)
    finish[0]?.('')
    await Promise.all([closed(client.socket), stopped])
    assert.match(client.received, /halfdone$/)
  })

  test('clients that send half a request or do not read are cut off', async () => {
    const { app, finish, port } = await aServer(50)
    const [half, unread, endless] = [await aClient(port), await aClient(port, false), await aClient(port)]
    half.socket.write(REQUEST.slice(0, 10))
    unread.socket.write(REQUEST.replace('/ ', '/large '))
    await once(app.server, 'request')
    endless.socket.write(REQUEST)
    await eventually(() => finish.length === 1)
    await app.close()
    unread.socket.resume()
    await Promise.all([closed(half.socket), closed(unread.socket), closed(endless.socket)])
  })
})
