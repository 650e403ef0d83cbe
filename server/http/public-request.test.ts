import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { AddressRefused, isPublicAddress, requestPublic } from './public-request.ts'

describe('requests to URLs of users', () => {
  test('only addresses on the public internet are allowed', () => {
    for (const ip of ['8.8.8.8', '151.101.1.69', '2606:4700::6810:84e5', '2a00:1450:4001:831::200e'])
      assert.equal(isPublicAddress(ip), true, ip)
    for (const ip of [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::a00:1',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
      '2001:db8::1',
      '2002:7f00:1::',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      'localhost',
      '',
    ])
      assert.equal(isPublicAddress(ip), false, ip)
  })

  /** The addresses of this machine at which the other site received a request. */
  const received: string[] = []
  const site = createServer((request, response) => {
    received.push(String(request.socket.localAddress))
    if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.2:${port}/` }).end()
    else response.end('ok')
  })
  let port = 0
  before(async () => {
    await new Promise<void>((resolve) => site.listen(0, '0.0.0.0', resolve))
    port = (site.address() as AddressInfo).port
  })
  after(() => site.close())

  /** A resolver whose responses follow one another. In these tests 127.0.0.1 is public and 127.0.0.2 is not. */
  function resolver(...responses: string[][]) {
    let asked = 0
    return {
      get asked() {
        return asked
      },
      isAllowed: (ip: string) => ip === '127.0.0.1',
      resolve: (_: string, __: object, done: (error: null, addresses: LookupAddress[]) => void) => {
        const addresses = responses[Math.min(asked++, responses.length - 1)] ?? []
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      },
    }
  }
  const get = (rules: ReturnType<typeof resolver>, path = '/') =>
    requestPublic(
      `http://name.example:${port}${path}`,
      rules,
      { timeoutMs: 60_000 },
      async ({ statusCode }) => statusCode,
    )

  test('a name that changes its address after the check is connected at the address that was checked', async () => {
    const rules = resolver(['127.0.0.1'], ['127.0.0.2'])
    assert.equal(await get(rules), 200)
    assert.deepEqual([rules.asked, received.splice(0)], [1, ['127.0.0.1']])
  })

  test('a name with an address that is refused is not connected, also when another one is allowed', async () => {
    for (const addresses of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1'], []])
      await assert.rejects(get(resolver(addresses, ['127.0.0.1'])), AddressRefused)
    assert.deepEqual(received, [])
  })

  test('a response that switches protocols and a connection without a response are failures', async () => {
    let response = ''
    const upgrading = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(response))
    })
    await new Promise<void>((resolve) => upgrading.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(upgrading.address() as AddressInfo).port}/`
    for (response of ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', ''])
      await assert.rejects(
        requestPublic(url, { isAllowed: () => true }, { timeoutMs: 60_000 }, async () => {}),
        Error,
      )
    upgrading.close()
  })

  test('a redirect is not followed', async () => {
    assert.equal(await get(resolver(['127.0.0.1']), '/redirect'), 302)
    assert.deepEqual(received.splice(0), ['127.0.0.1'])
  })
})
