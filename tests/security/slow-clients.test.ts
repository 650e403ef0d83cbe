import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import type { ConnectionSettings } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aWorker } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { openEventStream } from '#tests/support/live.ts'
import { lockWaits } from '#tests/support/lock-waits.ts'

const HALF_HEADERS = 'GET /api/site HTTP/1.1\r\nHost: localhost\r\nX: '
const HALF_BODY =
  'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{'
const WHOLE = 'GET /api/site HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('slow clients', () => {
  const db = useDatabase()
  const ends: (() => Promise<void> | void)[] = []
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  async function listen(connections: Partial<ConnectionSettings>, settings: Partial<Config> = {}) {
    const instance = await anInstance(db.database, settings, connections)
    ends.push(() => instance.close())
    await instance.app.listen({ port: 0, host: '127.0.0.1' })
    const { server } = instance.app
    const { port } = server.address() as AddressInfo
    /** The ports of the clients' connections that were accepted. The connection limit listens later, and may destroy one. */
    const accepted = new Set<number | undefined>()
    server.prependListener('connection', ({ remotePort }: Socket) => accepted.add(remotePort))
    const open = () => new Promise<number>((done) => instance.app.server.getConnections((_, n) => done(n)))
    /** Opens a connection that never closes its own half. Resolves when the server has accepted it. */
    const hold = async (bytes: string, localAddress = '127.0.0.1'): Promise<Socket> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
      ends.push(() => void socket.destroy())
      socket.on('error', () => {})
      await once(socket, 'connect')
      const { localPort } = socket
      await eventually(() => accepted.delete(localPort))
      if (bytes !== '') socket.write(bytes)
      if (bytes === WHOLE) await once(socket, 'readable')
      else socket.resume()
      return socket
    }
    const status = async (localAddress?: string) => {
      const socket = await hold(WHOLE, localAddress)
      const said = String(socket.read())
      socket.destroy()
      return /^HTTP\/1\.1 (\d+)/.exec(said)?.[1]
    }
    return { ...instance, port, open, hold, status }
  }

  test('300 connections with half a request or none delay nobody and are destroyed by their time-outs', async () => {
    // Until all are open the server waits long for requests, that of the test among them.
    const server = await listen({ headersMs: 60_000, requestMs: 60_000, idleMs: 1500, checkIntervalMs: 100 })
    for (let count = 0; count < 75; count++)
      for (const bytes of ['', HALF_HEADERS, HALF_BODY, WHOLE]) await server.hold(bytes)
    assert.equal(await server.status(), '200')
    server.app.server.headersTimeout = 1_500
    server.app.server.requestTimeout = 2_500
    await eventually(async () => (await server.open()) === 0)
  })

  test('a request that the server works on for longer than it may take to arrive gets its response', async () => {
    // Its request has long until the server works on it.
    const server = await listen({ headersMs: 60_000, requestMs: 60_000, checkIntervalMs: 20 })
    const holder = await db.owner.connect()
    try {
      await holder.query('begin')
      await holder.query('lock table contact_messages in access exclusive mode')
      const body = JSON.stringify({
        name: 'Ruma',
        email: 'ruma@example.com',
        subject: 'Hello',
        message: 'Hi',
      })
      const message = HALF_BODY.replace('900\r\n\r\n{', `${body.length}\r\n\r\n${body}`)
      const waiting = await server.hold('')
      let response = ''
      waiting.on('data', (bytes) => (response += String(bytes)))
      waiting.write(message)
      await eventually(async () => (await lockWaits(db.owner)) === 1)
      server.app.server.headersTimeout = 200
      server.app.server.requestTimeout = 200
      const slow = await server.hold(HALF_BODY)
      await eventually(() => slow.destroyed || slow.readableEnded)
      await holder.query('rollback')
      await eventually(() => response.startsWith('HTTP/1.1 201'))
    } finally {
      holder.release()
    }
  })

  test('above the maximum, the connection that has waited longest makes room for a new one', async () => {
    const server = await listen({ total: 300, headersMs: 60_000, requestMs: 60_000 })
    const held: Socket[] = []
    for (let count = 0; count < 75; count++)
      for (const bytes of ['', HALF_HEADERS, HALF_BODY, WHOLE]) held.push(await server.hold(bytes))
    assert.equal(await server.status(), '200')
    await eventually(() => held[0]?.destroyed || held[0]?.readableEnded)
    assert.equal(server.app.connectionLimit.closed, 1)
    assert.ok((await server.open()) <= 300)
  })

  test('one network fills its own share only, and trusted proxies have none', async () => {
    const server = await listen({ perNetwork: 20 })
    for (let count = 0; count < 30; count++) await server.hold(HALF_BODY)
    assert.equal(server.app.connectionLimit.closed, 10)
    for (let count = 0; count < 5; count++) assert.equal(await server.status('127.0.0.2'), '200')
    assert.equal(server.app.connectionLimit.closed, 10)

    const behindProxy = await listen({ perNetwork: 20 }, { trustProxy: ['loopback'] })
    for (let count = 0; count < 30; count++) await behindProxy.hold(HALF_BODY)
    assert.equal(behindProxy.app.connectionLimit.closed, 0)
  })

  test('an event stream stays open while idle connections are closed', async () => {
    const server = await listen({ total: 3 })
    const authorization = await server.signIn(await aWorker(db.database))
    const page = await openEventStream(`http://127.0.0.1:${server.port}`, authorization)
    ends.push(() => page.close())
    await eventually(() => page.of('connected').length === 1)
    for (let count = 0; count < 10; count++) await server.hold(HALF_HEADERS)
    assert.equal(server.app.connectionLimit.closed, 7)
    assert.equal(await server.open(), 4)
    assert.equal(page.of('closing').length, 0)
  })
})
