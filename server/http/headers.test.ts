import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import { useApi } from '#tests/support/api.ts'

describe('private responses', () => {
  const api = useApi()
  before(() => api.instance.app.listen({ port: 0, host: '127.0.0.1' }))

  /** Sends a request line as it is and returns the response. */
  async function send(requestLine: string, headers = 'host: localhost\r\n'): Promise<string> {
    const socket = connect((api.instance.app.server.address() as AddressInfo).port, '127.0.0.1')
    let response = ''
    socket.on('data', (chunk) => {
      response += String(chunk)
    })
    socket.write(`${requestLine}\r\n${headers}connection: close\r\n\r\n`)
    await once(socket, 'close')
    return response
  }

  test('a malformed Host or expectation is refused with the headers of every error', async () => {
    for (const [headers, status] of [
      ['', 400],
      ['host: localhost\r\nhost: evil.example\r\n', 400],
      ['host: localhost\r\nexpect: 200-maybe\r\n', 417],
    ] as const) {
      for (const path of ['/', '/healthz', '/api/all-task']) {
        const response = await send(`GET ${path} HTTP/1.1`, headers)
        assert.ok(response.startsWith(`HTTP/1.1 ${status} `), `${path}: ${response}`)
        assert.match(response, /^cache-control: no-store\r$/im)
        assert.match(response, /^x-content-type-options: nosniff\r$/im)
        assert.match(response, /"invalid_request"/)
      }
    }
  })

  test('are never stored, however their URL is written', async () => {
    for (const { endpoint } of ENDPOINTS) {
      if (endpoint.access.who === 'anyone' || endpoint.method !== 'GET') continue
      const path = `/api${endpoint.path.replaceAll(/:\w+/g, 'x')}`
      for (const url of [path, path.replace('/api', '/%61pi'), `http://localhost${path}`]) {
        const response = await send(`GET ${url} HTTP/1.1`)
        assert.match(response, /^HTTP\/1.1 401 /, url)
        assert.match(response, /^cache-control: no-store\r$/m, url)
        assert.match(
          response,
          /^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/m,
          url,
        )
      }
    }
  })
})
