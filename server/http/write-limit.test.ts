import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aTask } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { createSharedCounts } from './shared-counts.ts'

const TEXTS = { task_title: 'A task', task_detail: 'To do', submission_info: 'A line' }

describe('limits of writes', () => {
  const api = useApi({ writeLimitFactor: 0.02 })

  /** Edits a user's task; 120 an hour per user and 1200 per network become 3 and 24. */
  async function editor() {
    const buyer = await aBuyer(api.database)
    const path = `/update-task/${await aTask(api.database, buyer)}`
    return () => api.as(buyer).put(path, TEXTS)
  }

  test('a user above the limit gets Retry-After; another user of the network is not affected', async () => {
    const edit = await editor()
    for (let count = 0; count < 3; count++) assert.equal((await edit()).status, 200)
    const { status, headers } = await edit()
    assert.equal(status, 429)
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 3600, String(seconds))
    assert.equal((await (await editor())()).status, 200)
  })

  test('a network is above its limit, whichever users write', async () => {
    const statuses: number[] = []
    for (let user = 0; user < 10; user++) {
      const edit = await editor()
      for (let count = 0; count < 3; count++) statuses.push((await edit()).status)
    }
    assert.ok(statuses.filter((status) => status === 200).length <= 24)
    assert.equal(statuses.at(-1), 429)
  })
})

describe('limits of writes of IPv6 networks', () => {
  // 10 contact messages per network and hour become 1, so 10 per /48.
  const api = useApi({ writeLimitFactor: 0.1, trustProxy: ['127.0.0.1'] })

  test('are shared by the networks of one /48', async () => {
    const send = async (network: string) => {
      const message = { name: 'Ruma', email: 'ruma@example.com', subject: 'Hello', message: 'A question' }
      const { status } = await api.anyone.post('/contact', message, { 'x-forwarded-for': `${network}::1` })
      return status
    }
    for (let network = 0; network < 10; network++)
      assert.equal(await send(`2001:db8:7:${network.toString(16)}`), 201)
    assert.equal(await send('2001:db8:7:ffff'), 429)
    assert.equal(await send('2001:db8:8:1'), 201)
  })
})

describe('limits of writes of several instances', () => {
  const api = useApi({ writeLimitFactor: 0.02 })

  test('are counted together', async () => {
    const other = await anInstance(api.database, {
      writeLimitFactor: 0.02,
      images: api.instance.config.images,
    })
    const buyer = await aBuyer(api.database)
    const url = `/api/update-task/${await aTask(api.database, buyer)}`
    const authorization = await api.instance.signIn(buyer)
    const edit = async (app = api.instance.app) =>
      (await app.inject({ method: 'PUT', url, headers: { authorization }, payload: TEXTS })).statusCode
    const statuses = [await edit(), await edit(other.app), await edit(), await edit(other.app), await edit()]
    await other.close()
    assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  })

  test("are enforced by an instance whose clock is ahead of the database's", async (t) => {
    const now = Date.now.bind(Date)
    t.mock.method(Date, 'now', () => now() + 3_600_000)
    const counts = createSharedCounts(api.database, 60, 10)
    let admitted = 0
    for (let request = 0; request < 150; request++)
      if ((await counts.add([counts.countOf('ahead', 100)])) === undefined) admitted++
    assert.ok(admitted >= 100 && admitted <= 105, String(admitted))
  })
})

test('a write endpoint without a limit does not compile, nor one for users without a limit per user', () => {
  const rest = { path: '/x', summary: 'Write', reply: z.object({}) } as const
  const write = { ...rest, method: 'POST' } as const
  endpoint({ ...rest, method: 'GET', access: { who: 'anyone' } })
  endpoint({ ...write, access: { who: 'anyone' }, limit: { perNetwork: 10 } })
  // @ts-expect-error
  endpoint({ ...write, access: { who: 'anyone' } })
  // @ts-expect-error
  endpoint({ ...write, access: { who: ['Buyer'] } })
  // @ts-expect-error
  endpoint({ ...write, access: { who: 'session' }, limit: { perNetwork: 10 } })
})
