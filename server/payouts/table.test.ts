import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker } from '#tests/support/factories.ts'
import { aRequest } from '#tests/support/payouts.ts'

describe('the table of payout batches', () => {
  const api = useApi()

  test('the sums and the file have exactly the batches of the filter', async () => {
    const admin = await anAdmin(api.database)
    const batches: string[] = []
    for (const size of [1, 2]) {
      const withdrawalIds: string[] = []
      for (let index = 0; index < size; index++) withdrawalIds.push((await aRequest(api.database)).id)
      const { body } = await api.as(admin).post('/payout-batches', { withdrawalIds })
      batches.push(body.insertedId)
    }
    await api.as(admin).post(`/payout-batches/${batches[1]}/release`)
    const totals = async (query: string) => (await api.as(admin).get(`/payout-batches/totals?${query}`)).body
    assert.deepEqual(await totals(''), { batches: 2, payouts: 3, coins: 600, cents: 3000 })
    assert.deepEqual(await totals('state=released'), { batches: 1, payouts: 2, coins: 400, cents: 2000 })
    const today = new Date().toISOString().slice(0, 10)
    assert.equal((await totals(`from=${today}&to=${today}`)).batches, 2)
    assert.deepEqual(await totals('from=2100-01-01'), { batches: 0, payouts: 0, coins: 0, cents: 0 })
    const { body: drafts } = await api.as(admin).get('/payout-batches?state=draft')
    assert.deepEqual(
      drafts.map(({ _id }: { _id: string }) => _id),
      [batches[0]],
    )
    const { text } = await api.as(admin).get('/payout-batches/export?state=released')
    const lines = text.split('\r\n').filter((line) => line !== '')
    assert.equal(lines.length, 2)
    assert.ok(lines[1]?.startsWith(`"${batches[1]}","released"`) && lines[1].endsWith('"400","20.00"'))
  })

  test('is for Admins only', async () => {
    const worker = await aWorker(api.database)
    for (const path of ['/payout-batches/totals', '/payout-batches/export'])
      assert.equal((await api.as(worker).get(path)).status, 403)
  })
})
