import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker, type TestUser } from '#tests/support/factories.ts'

const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' }

describe('the table of payments', () => {
  const api = useApi()

  async function pay(buyer: TestUser, price: number): Promise<string> {
    const { clientSecret } = (await api.as(buyer).post('/create-payment-intent', { price })).body
    const { transactionId } = (await api.anyone.post('/sandbox/confirm', { clientSecret, ...CARD })).body
    assert.equal((await api.as(buyer).post('/payment-success', { transactionId })).status, 200)
    return transactionId
  }

  test('the sums and the file have exactly the payments of the filter', async () => {
    const admin = await anAdmin(api.database)
    const [nadia, rafi] = [
      await aBuyer(api.database, { name: 'Nadia' }),
      await aBuyer(api.database, { name: '=Rafi' }),
    ]
    const transactions = [await pay(nadia, 10), await pay(nadia, 20), await pay(rafi, 20)]
    const totals = async (query: string) => (await api.as(admin).get(`/payments/totals?${query}`)).body
    assert.deepEqual(await totals(''), { payments: 3, price: 50, returned: 0, coins: 1150 })
    assert.deepEqual(await totals('q=nadia'), { payments: 2, price: 30, returned: 0, coins: 650 })
    assert.equal((await totals(`q=${transactions[2]}`)).payments, 1)
    assert.equal((await totals('status=Disputed')).payments, 0)
    assert.equal((await totals(`q=${encodeURIComponent('!')}`)).payments, 0)
    const today = new Date().toISOString().slice(0, 10)
    assert.equal((await totals(`from=${today}&to=${today}&status=Success`)).payments, 3)
    assert.equal((await totals('to=2020-01-01')).payments, 0)
    const listed = await api.as(admin).get('/payments?from=2100-01-01')
    assert.deepEqual(listed.body, [])

    const { text } = await api.as(admin).get('/payments/export?q=rafi')
    const lines = text.split('\r\n').filter((line) => line !== '')
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /"'=Rafi".*"20\.00","0\.00","Success"/)
  })

  test('is for Admins only', async () => {
    const worker = await aWorker(api.database)
    for (const path of ['/payments/totals', '/payments/export'])
      assert.equal((await api.as(worker).get(path)).status, 403)
  })
})
