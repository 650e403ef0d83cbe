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

  test('a search of days has the payments from the first midnight to the last in UTC', async () => {
    const admin = await anAdmin(api.database)
    const buyer = await aBuyer(api.database, { name: 'Midnight' })
    const times = [
      '2025-03-03T23:59:59.999Z',
      '2025-03-04T00:00:00.000Z',
      '2025-03-04T23:59:59.999Z',
      '2025-03-05T00:00:00.000Z',
    ]
    for (const time of times) {
      const transaction = await pay(buyer, 10)
      await api.owner.query('update payments set paid_at = $2 where transaction_id = $1', [transaction, time])
    }
    const found = async (query: string) => {
      const search = `q=midnight&${query}`
      const { body } = await api.as(admin).get(`/payments?${search}`)
      const totals = await api.as(admin).get(`/payments/totals?${search}`)
      assert.equal(totals.body.payments, body.length, query)
      return body.length
    }
    const [before, day, after] = ['2025-03-03', '2025-03-04', '2025-03-05']
    assert.equal(await found(''), 4)
    assert.equal(await found(`from=${day}&to=${day}`), 2)
    assert.equal(await found(`from=${day}&to=${day}&status=Success`), 2)
    assert.equal(await found(`from=${day}`), 3)
    assert.equal(await found(`to=${before}`), 1)
    assert.equal(await found(`from=${after}`), 1)
    assert.equal(await found(`from=${after}&to=${before}`), 0)
  })

  test('is for Admins only', async () => {
    const worker = await aWorker(api.database)
    for (const path of ['/payments/totals', '/payments/export'])
      assert.equal((await api.as(worker).get(path)).status, 403)
  })
})
