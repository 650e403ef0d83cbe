import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import { eventually } from '#tests/support/eventually.ts'
import { testConfig } from '#tests/support/factories.ts'
import { makeGate, shedLoad } from './load.ts'

describe('the gate against floods', () => {
  /** With one connection 32 may stand waiting, 64 may come at once. */
  const aGate = () => {
    const clock = { ms: 1_000 }
    return { clock, gate: makeGate(1, () => clock.ms) }
  }
  const times = (count: number, what: () => void) => Array.from({ length: count }, what)

  test('a crowd that comes at once is let in, and so is whoever comes while it is served', () => {
    const { clock, gate } = aGate()
    times(60, gate.enter)
    clock.ms += 400
    assert.equal(gate.isFull(), false)
    times(40, gate.leave)
    clock.ms += 10_000
    assert.equal(gate.isFull(), false)
    times(40, gate.enter)
    assert.equal(gate.isFull(), false, 'half a second counts from the last time there was room')
  })

  test('a queue that stands for half a second is an overload, until it has halved', () => {
    const { clock, gate } = aGate()
    times(40, gate.enter)
    clock.ms += 501
    assert.equal(gate.isFull(), true)
    times(10, gate.leave)
    assert.equal(gate.isFull(), false, 'there is room for two')
    times(2, gate.enter)
    assert.equal(gate.isFull(), true, 'and at once none, for it is the same flood')
    times(20, gate.leave)
    times(40, gate.enter)
    assert.equal(gate.isFull(), false, 'a new crowd after it')
  })

  test('where answers come slowly, no more are let in than are answered in half a second', () => {
    const { clock, gate } = aGate()
    times(40, gate.enter)
    clock.ms += 501
    assert.equal(gate.isFull(), true)
    clock.ms += 1_000
    times(20, gate.leave)
    assert.equal(gate.isFull(), true, '20 are under way, and 20 were answered in the last second and a bit')
    times(11, gate.leave)
    assert.equal(gate.isFull(), false)
    times(1, gate.enter)
    assert.equal(gate.isFull(), true, 'ten are under way')
    times(6, gate.leave)
    times(30, gate.enter)
    assert.equal(gate.isFull(), false, 'it is over')
  })

  test('more than can be served in time are too many at any moment', () => {
    const { gate } = aGate()
    times(63, gate.enter)
    assert.equal(gate.isFull(), false)
    gate.enter()
    assert.equal(gate.isFull(), true)
  })
})

test('in a flood calls are refused with everything an answer carries, and what must not be refused is answered', async () => {
  const app = Fastify()
  const gate = shedLoad(app, { ...testConfig, databasePool: 1, publicUrl: 'https://work.example.com' })
  let release: (answer: string) => void = () => {}
  const released = new Promise<string>((resolve) => {
    release = resolve
  })
  let waiting = 0
  app.post('/api/slow', async () => {
    waiting++
    return released
  })
  for (const path of ['/healthz', '/metrics', '/', '/api/live', '/api/images/:name'])
    app.get(path, async () => 'here')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const slow = () =>
    fetch(`${url}/api/slow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  try {
    const crowd = Array.from({ length: 64 }, slow)
    await eventually(async () => waiting === 64)
    const refused = await slow()
    assert.equal(refused.status, 503)
    assert.match(await refused.text(), /"code":"unavailable"/)
    for (const [name, value] of [
      ['retry-after', /^\d+$/],
      ['content-type', /^application\/json/],
      ['cache-control', /no-store/],
      ['content-security-policy', /default-src 'none'/],
      ['strict-transport-security', /max-age/],
      ['x-content-type-options', /nosniff/],
    ] as const)
      assert.match(refused.headers.get(name) ?? '', value, name)
    assert.equal(gate.turnedAway, 1)
    assert.equal(waiting, 64, 'nothing was begun for it')
    for (const path of ['/healthz', '/metrics', '/', '/api/live', '/api/images/one.webp'])
      assert.equal((await fetch(url + path)).status, 200, path)

    release('done')
    for (const answer of await Promise.all(crowd)) assert.equal(answer.status, 200)
    assert.equal((await slow()).status, 200)
  } finally {
    release('')
    await app.close()
  }
})
