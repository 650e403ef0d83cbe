import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, atOnce, aWorker, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'

const REQUEST = { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber: '01712345678' }

describe('the withdrawal rate', () => {
  const api = useApi()
  const request = (worker: TestUser, body: object = {}) =>
    api.as(worker).post(`/withdraw/${worker.email}`, { ...REQUEST, ...body })
  const setRate = (centsPerCoin: number) => changeSettings(api.database, 'withdrawal_rate', { centsPerCoin })

  test('a request keeps the rate that it was made at, and its payment and the totals use its own cents', async () => {
    const [admin, worker] = [await anAdmin(api.database), await aWorker(api.database, { coins: 390 })]
    const solvency = async () => (await api.as(admin).get('/admin-stats')).body.solvency
    await setRate(5)
    const { body } = await request(worker)
    await setRate(3)
    await request(worker)

    const own = (await api.as(worker).get(`/withdraw/${worker.email}`)).body
    assert.deepEqual(
      own.map((one: { withdrawal_amount: number }) => one.withdrawal_amount),
      [6, 10],
    )
    const before = await solvency()
    assert.equal(before.owedCents, (before.coinsOutstanding - 400) * 3 + 600 + 1000)
    const paid = await api
      .as(admin)
      .patch(`/withdraw-status/${body.insertedId}`, { status: 'approved', amount: 10 })
    assert.equal(paid.body.modifiedCount, 1)
    const after = await solvency()
    assert.deepEqual([after.paidOutCents, after.owedCents], [1000, before.owedCents - 1000])
    assert.equal(after.coverCents, before.coverCents)
    assert.equal((await api.as(worker).get('/worker-stats')).body.withdrawnDollars, 10)
  })

  test('a request with the amount of an earlier rate is refused and holds nothing', async () => {
    const worker = await aWorker(api.database, { coins: 190 })
    await setRate(3)
    const refused = await request(worker, { withdrawal_amount: 10 })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['withdrawal_amount']])
    assert.equal(await balanceOf(api.database, worker), 200)
    assert.equal((await request(worker, { withdrawal_amount: 6 })).status, 200)
  })

  test('requests while the rate changes are paid by one rate or the other, or are refused', async () => {
    const workers = await Promise.all(Array.from({ length: 10 }, () => aWorker(api.database, { coins: 190 })))
    await setRate(5)
    const [results] = await Promise.all([
      atOnce(10, (index) => request(workers[index] as TestUser)),
      setRate(4),
    ])
    for (const [index, result] of results.entries()) {
      const response = result.status === 'fulfilled' ? result.value : undefined
      if (response?.status === 200) continue
      assert.equal(response?.body.error.code, 'state_conflict')
      assert.equal(await balanceOf(api.database, workers[index] as TestUser), 200)
    }
    const { rows } = await api.database.pool.query<{ rate: number }>(
      'select distinct (amount_cents / coins)::int as rate from withdrawals where worker_id = any ($1)',
      [workers.map(({ id }) => id)],
    )
    assert.deepEqual(
      rows.filter(({ rate }) => rate !== 4 && rate !== 5),
      [],
    )
  })

  test('the database refuses an amount that is not the coins at a whole rate', async () => {
    const worker = await aWorker(api.database, { coins: 190 })
    const { body } = await request(worker)
    for (const cents of [0, 1001, -1000]) {
      await assert.rejects(
        api.owner.query('update withdrawals set amount_cents = $2 where id = $1', [body.insertedId, cents]),
        /withdrawals_amount/,
      )
    }
  })
})
