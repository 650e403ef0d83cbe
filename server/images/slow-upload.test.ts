import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, mock, test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { endSlowUpload } from './slow-upload.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n'
const server = createServer()
after(() => server.close())

/** Returns a request that the server has received so far, of which a client has sent this much of its body. */
async function received(body: string): Promise<IncomingMessage> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const arrived = once(server, 'request')
  const client = connect(port, '127.0.0.1').on('error', () => {})
  client.write(HEAD + body)
  const [request] = (await arrived) as [IncomingMessage]
  request.once('close', () => client.destroy())
  return request
}

for (const { body, isEnded } of [
  { body: 'a'.repeat(39), isEnded: true },
  { body: 'a'.repeat(40), isEnded: false },
]) {
  test(`an upload of which ${body.length} of 40 bytes have arrived is ${isEnded ? 'ended' : 'not ended'}`, async () => {
    mock.timers.enable({ apis: ['setInterval'] })
    const { promise, resolve } = Promise.withResolvers<void>()
    try {
      const request = await received(body)
      const file = endSlowUpload({ raw: request } as FastifyRequest, promise)
      mock.timers.tick(5_000)
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      assert.equal(request.socket.destroyed, isEnded)
      resolve()
      await file
      request.socket.destroy()
    } finally {
      mock.timers.reset()
    }
  })
}
