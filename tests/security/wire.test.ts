import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'

const JSON_HEAD = 'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

describe('malformed HTTP', () => {
  const api = useApi()
  let port = 0
  const sockets: Socket[] = []

  before(async () => {
    const { app } = api.instance
    await app.listen({ port: 0, host: '127.0.0.1' })
    assert.deepEqual([app.server.headersTimeout, app.server.requestTimeout], [10_000, 30_000])
    port = (app.server.address() as AddressInfo).port
  })
  after(() => {
    for (const socket of sockets) socket.destroy()
  })

  function open(): { socket: Socket; said: () => string; closed: Promise<void> } {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    let said = ''
    socket.on('data', (chunk) => {
      said += String(chunk)
    })
    socket.on('error', () => {})
    // Not once(), which rejects when the server resets the connection.
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    return { socket, said: () => said, closed }
  }

  /** Sends bytes and returns everything that came back until the server closed the connection. */
  async function send(bytes: string): Promise<string> {
    const { socket, said, closed } = open()
    socket.write(bytes)
    await closed
    return said()
  }
  const statuses = (said: string) =>
    [...said.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

  test('an ambiguous length closes the connection: no request smuggling', async () => {
    const hidden = 'GET /api/site HTTP/1.1\r\nHost: localhost\r\n\r\n'
    for (const [what, bytes] of Object.entries({
      'both a length and chunks': `${JSON_HEAD}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      'chunks and then a length': `${JSON_HEAD}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${hidden}`,
      'two lengths': `${JSON_HEAD}Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}${hidden}`,
      'a list of lengths': `${JSON_HEAD}Content-Length: 2, 60\r\n\r\n{}${hidden}`,
      'a negative length': `${JSON_HEAD}Content-Length: -1\r\n\r\n${hidden}`,
      'a length that is none': `${JSON_HEAD}Content-Length: 2x\r\n\r\n{}${hidden}`,
      'a bad chunk size': `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n${hidden}`,
      'a chunk longer than it says': `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n${hidden}`,
      'another encoding behind chunked': `${JSON_HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
      'a hidden encoding': `${JSON_HEAD}Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}${hidden}`,
      'a folded header': `${JSON_HEAD}X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}${hidden}`,
      'a bare line feed in a header': `${JSON_HEAD}X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      'a zero byte': `${JSON_HEAD}X: a\u0000b\r\n\r\n${hidden}`,
    })) {
      const [first, ...others] = statuses(await send(bytes))
      assert.ok(first !== undefined && first >= 400 && first < 500, `${what}: ${first}`)
      assert.deepEqual(others, [], `${what}: a second response`)
    }
  })

  test('invalid or oversized HTTP is refused with an error body', async () => {
    for (const [bytes, status] of [
      ['hello\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
      [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
      ['GET /api/site HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ] as const) {
      const said = await send(bytes)
      assert.equal(statuses(said)[0], status, bytes.slice(0, 30))
    }
    const said = await send('hello\r\n\r\n')
    assert.match(said, /"code":"invalid_request"/)
    assert.match(said, /^x-content-type-options: nosniff\r$/m)
    assert.match(said, /^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/m)
    assert.match(said, /^cache-control: no-store\r$/m)
  })

  test('a body above the limit is refused before it is read, with or without a length', async () => {
    const said = await send(`${JSON_HEAD}Content-Length: 999999999\r\n\r\n{`)
    assert.equal(statuses(said)[0], 413)
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    assert.equal(
      statuses(await send(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(12)}`))[0],
      413,
    )
  })

  test('deeply nested JSON is refused or parsed', async () => {
    for (const deep of [
      `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      '{"a":'.repeat(90_000),
      '['.repeat(500_000),
    ]) {
      const { status } = await api.anyone.post('/contact', deep)
      assert.ok(status >= 400 && status < 500, String(status))
    }
  })

  test('slow clients are disconnected, and many of them block no other client', async () => {
    const slow = Array.from({ length: 60 }, (_, index) => {
      const one = open()
      const head =
        index % 2 === 0 ? 'GET / HTTP/1.1\r\nHost: localhost\r\n' : `${JSON_HEAD}Content-Length: 1000\r\n\r\n`
      one.socket.write(head)
      const drip = setInterval(() => one.socket.write(index % 2 === 0 ? 'X: y\r\n' : ' '), 100)
      one.socket.once('close', () => clearInterval(drip))
      return one
    })
    const response = await fetch(`http://127.0.0.1:${port}/api/site`)
    assert.equal(response.status, 200)
    // The server waits longer; what is tested is that it looks, and cuts off.
    const { server } = api.instance.app
    server.headersTimeout = 700
    server.requestTimeout = 1_400
    await Promise.all(slow.map(({ closed }) => closed))
    for (const { said } of slow)
      assert.ok(
        statuses(said()).every((status) => status === 408),
        said(),
      )
  })
})
