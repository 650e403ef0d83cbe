import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'

describe('the provenance of coins', () => {
  const api = useApi()

  const payFor = async (buyer: TestUser, worker: TestUser, reward: number) => {
    const task = await aTask(api.database, buyer, { slots: 1, reward })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
  }
  const requestCoins = async (worker: TestUser, withdrawalCoin: number): Promise<string> => {
    const body = { withdrawalCoin, payment_system: 'Bkash', accountNumber: '01712345678' }
    return (await api.as(worker).post(`/withdraw/${worker.email}`, body)).body.insertedId
  }
  /** Requests a withdrawal and returns what Admins see of where its coins come from. */
  const originOf = async (worker: TestUser, coins = 200) => {
    const id = await requestCoins(worker, coins)
    const list = (await api.as(await anAdmin(api.database)).get('/withdraw?limit=100')).body
    return list.find(({ _id }: { _id: string }) => _id === id).origin
  }

  test('lists the buyers and the shares of bonus and purchased coins', async () => {
    const worker = await aWorker(api.database)
    const bought = await aBuyer(api.database, { coins: 150 })
    const free = await aBuyer(api.database)
    await payFor(bought, worker, 160)
    await payFor(free, worker, 50)
    const origin = await originOf(worker, 215)
    assert.deepEqual(
      origin.byBuyer.map(({ name, coins }: { name: string; coins: number }) => [name, coins]),
      [
        [bought.name, 160],
        [free.name, 50],
      ],
    )
    // 160 of a buyer who had 50 free and 150 bought; 50 free; 5 of the worker's own starting coins.
    assert.equal(origin.bonus, 40 + 50 + 5)
    assert.equal(origin.purchased, 120)
    assert.equal(origin.other, 0)
    assert.deepEqual(origin.flags, ['few_counterparties', 'new_account'])
  })

  describe('of coins whose purchase was reversed', () => {
    test('a refunded purchase did not buy the starting coins of its buyer', async () => {
      const worker = await aWorker(api.database)
      for (let number = 0; number < 4; number++) {
        const buyer = await aBuyer(api.database)
        await reverse(api.database, await aPayment(api.database, buyer, { cents: 3500, coins: 1000 }), 3500)
        await payFor(buyer, worker, 50)
      }
      const origin = await originOf(worker)
      assert.deepEqual([origin.bonus, origin.purchased, origin.other], [200, 0, 0])
      assert.ok(origin.flags.includes('mostly_bonus'))
      assert.deepEqual(
        origin.byBuyer.map(({ refundedCents }: { refundedCents: number }) => refundedCents),
        [3500, 3500, 3500, 3500],
      )
    })

    test('a purchase counts once after its dispute was won, and in part after a refund of a part', async () => {
      const worker = await aWorker(api.database)
      const [won, part] = [await aBuyer(api.database), await aBuyer(api.database)]
      const disputed = await aPayment(api.database, won)
      for (const cents of [1000, 0, 1000, 0]) await reverse(api.database, disputed, cents)
      await payFor(won, worker, 120)
      await reverse(api.database, await aPayment(api.database, part, { cents: 1000, coins: 150 }), 667)
      await payFor(part, worker, 80)
      const origin = await originOf(worker)
      // A quarter of 120, and half of 80: a third of the second purchase is left, as many coins as the buyer had free.
      assert.deepEqual([origin.bonus, origin.purchased, origin.other], [30 + 40, 90 + 40, 0])
    })

    test('coins that were spent before the refund were bought, until the debt is paid', async () => {
      const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
      const payment = await aPayment(api.database, buyer)
      await payFor(buyer, worker, 200)
      await reverse(api.database, payment, 1000)
      const origin = await originOf(worker)
      assert.deepEqual([origin.bonus, origin.purchased], [50, 150])
      await aPayment(api.database, buyer)
      const { rows } = await api.database.pool.query('select purchased_coins($1)::int as coins', [buyer.id])
      assert.equal(rows[0].coins, 150)
    })

    test("a refund of the worker's own purchase leaves the coins that they earned", async () => {
      const own = await aBuyer(api.database)
      const payment = await aPayment(api.database, own)
      await api.database.pool.query(`update users set role = 'Worker' where id = $1`, [own.id])
      const buyer = await aBuyer(api.database, { coins: 150 })
      await payFor(buyer, { ...own, role: 'Worker' }, 200)
      await reverse(api.database, payment, 1000)
      const origin = await originOf({ ...own, role: 'Worker' })
      assert.deepEqual([origin.bonus, origin.purchased, origin.other], [50, 150, 0])
      assert.equal(origin.byBuyer[0].coins, 200)
    })
  })

  test('is kept by the coins of a declined request', async () => {
    const worker = await aWorker(api.database, { coins: 300 })
    const id = await requestCoins(worker, 200)
    const decline = { status: 'declined', reason: 'Later' }
    await api.as(await anAdmin(api.database)).patch(`/withdraw-status/${id}`, decline)
    const origin = await originOf(worker, 310)
    assert.deepEqual([origin.bonus, origin.purchased, origin.other], [10, 300, 0])
  })
})
