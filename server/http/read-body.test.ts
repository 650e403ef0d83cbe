import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { eventually } from '#tests/support/eventually.ts'
import { handleErrors } from './errors.ts'
import { parseJson } from './json.ts'
import { limitBodies } from './read-body.ts'

const KB = 1024
const BODY_MAX_BYTES = 256 * KB
const LENGTH = 100 * KB
const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const LARGE = 'a'.repeat(LENGTH - 2)

describe('bodies that are being received', () => {
  const app = Fastify({ bodyLimit: BODY_MAX_BYTES })
  const sockets = new Map<number | undefined, Socket>()
  let port = 0
  /** Of the requests whose connection breaks before their body is read. */
  const statuses: number[] = []

  before(async () => {
    handleErrors(app)
    limitBodies(app, { total: 500 * KB, perNetwork: 300 * KB })
    parseJson(app)
    app.post('/', ({ body }) => ({ length: (body as string).length }))
    const untilClosed = ({ raw }: FastifyRequest) =>
      new Promise<void>((resolve) => raw.once('close', () => resolve()))
    const onSend = async (_: FastifyRequest, reply: FastifyReply) => void statuses.push(reply.statusCode)
    app.post('/closed', { preParsing: untilClosed, onSend }, () => ({}))
    app.server.on('connection', (socket) => sockets.set(socket.remotePort, socket))
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => app.close())

  /** Sends bytes and resolves when the server has received them. */
  async function send(bytes: string, localAddress = '127.0.0.1') {
    const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    let response = ''
    client.on('data', (data) => (response += String(data)))
    await once(client, 'connect')
    const { localPort } = client
    client.write(bytes)
    await eventually(() => (sockets.get(localPort)?.bytesRead ?? 0) === bytes.length)
    const status = async () => {
      await eventually(() => response !== '')
      return Number(response.split(' ')[1])
    }
    return { client, status, response: () => response }
  }
  /** Sends a body of 100 kB but its last byte. */
  const sendUnfinished = (localAddress?: string) =>
    send(`${HEAD}Content-Length: ${LENGTH}\r\n\r\n"${LARGE}`, localAddress)

  async function post(localAddress: string, text: string): Promise<number> {
    const body = JSON.stringify(text)
    const { client, status } = await send(
      `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`,
      localAddress,
    )
    const code = await status()
    client.destroy()
    return code
  }

  test('a body in chunks of one byte takes little more memory than its bytes, and arrives whole', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const used = () => {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const count = 200_000
    const chunks = `1\r\na\r\n`.repeat(count)
    const before = used()
    const { client, status, response } = await send(
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n"\r\n${chunks}`,
      '127.0.0.9',
    )
    assert.ok(used() - before < 10 * KB * KB)
    client.write('1\r\n"\r\n0\r\n\r\n')
    assert.equal(await status(), 200)
    assert.match(response(), new RegExp(`"length":${count}`))
    client.destroy()
  })

  test('a network, and all of them, have a maximum, above which small bodies still arrive', async () => {
    const ofOne = [await sendUnfinished(), await sendUnfinished(), await sendUnfinished()]
    assert.equal(await post('127.0.0.1', LARGE), 503)
    assert.equal(await post('127.0.0.1', 'small'), 200)
    assert.equal(await post('127.0.0.2', LARGE), 200)

    const ofOthers = [await sendUnfinished('127.0.0.2'), await sendUnfinished('127.0.0.3')]
    assert.equal(await post('127.0.0.4', LARGE), 503)
    assert.equal(await post('127.0.0.4', 'small'), 200)

    // A body that arrives or whose connection breaks makes room.
    ofOne[0]?.client.write('"')
    assert.equal(await ofOne[0]?.status(), 200)
    assert.equal(await post('127.0.0.4', LARGE), 200)
    for (const { client } of [...ofOne, ...ofOthers]) client.destroy()
    await eventually(async () => (await post('127.0.0.1', LARGE)) === 200)
  })

  test('a request whose connection breaks before its body is read ends', async () => {
    const { client } = await send(`${HEAD.replace('/ ', '/closed ')}Content-Length: ${LENGTH}\r\n\r\n"`)
    client.destroy()
    await eventually(() => statuses.length > 0)
    assert.deepEqual(statuses, [400])
  })

  test('a body above the limit is refused, whether or not its length is announced', async () => {
    const long = 'a'.repeat(BODY_MAX_BYTES + 1)
    const announced = await send(`${HEAD}Content-Length: ${long.length}\r\n\r\n`, '127.0.0.5')
    assert.equal(await announced.status(), 413)
    const chunked = await send(
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}`,
      '127.0.0.6',
    )
    assert.equal(await chunked.status(), 413)
    for (const { client } of [announced, chunked]) client.destroy()
  })
})
