import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OPERATOR_SETTINGS } from '#contract/operator-settings.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  balanceOf,
  type TestUser,
} from '#tests/support/factories.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { aPayment } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'

describe('attempts to withdraw young card coins', () => {
  const api = useApi()
  const rest = { restDays: 7, trustedRestDays: 7, trustedCardDays: 60, trustedPersonDays: 60 }
  before(() => changeSettings(api.database, 'card_coins_rest', rest))
  after(() => changeSettings(api.database, 'card_coins_rest', OPERATOR_SETTINGS.card_coins_rest.default))

  const request = (worker: TestUser, withdrawalCoin: number) =>
    api.as(worker).post(`/withdraw/${worker.email}`, {
      payment_system: 'Bkash',
      accountNumber: '01712345678',
      withdrawalCoin,
    })
  const resting = async (worker: TestUser): Promise<number> => {
    const { body } = await api.as(worker).get('/withdrawable')
    return body.later.reduce((sum: number, { coins }: { coins: number }) => sum + coins, 0)
  }
  async function submitted(buyer: TestUser, worker: TestUser, reward: number): Promise<string> {
    const task = await aTask(api.database, { ...buyer, role: 'Buyer' }, { slots: 1, reward })
    return aSubmission(api.database, task, worker)
  }
  async function earn(buyer: TestUser, worker: TestUser, reward: number): Promise<string> {
    const submission = await submitted(buyer, worker, reward)
    await approveSubmission(api.database, submission, buyer.id)
    return submission
  }

  test('no resting coins get out while they are bought and paid to the worker', async () => {
    for (let round = 0; round < 8; round++) {
      const [buyer, worker] = [await aBuyer(api.database), await aWorker(api.database, { coins: 200 })]
      const [first, second] = [await submitted(buyer, worker, 20), await submitted(buyer, worker, 30)]
      const outcomes = await Promise.all([
        aPayment(api.database, buyer, { cents: 2000, coins: 500 }),
        approveSubmission(api.database, first, buyer.id).then(() =>
          payBonus(api.database, first, buyer.id, { coins: 200, message: 'Thanks' }).catch(() => undefined),
        ),
        approveSubmission(api.database, second, buyer.id),
        request(worker, 400),
        request(worker, 200),
        request(worker, 200),
      ])
      const statuses = outcomes.slice(3).map((one) => (one as { status: number }).status)
      assert.ok(!statuses.some((status) => status >= 500), statuses.join())
      assert.equal(statuses[0], 409, 'more than the coins that do not rest')
      assert.equal(statuses.filter((status) => status === 200).length, 1)
    }
  })

  test('a bonus that began before the purchase that pays for it rests, or is refused', async () => {
    const [buyer, worker] = [await aBuyer(api.database), await aWorker(api.database)]
    const [work, bonus] = [await earn(buyer, worker, 50), crypto.randomUUID()]
    await inOpenTransaction(api.owner, async (holder) => {
      await holder.query(`insert into transfer_keys (kind, ref, transfer_id) values ('bonus_paid', $1, 0)`, [
        bonus,
      ])
      const paying = api.database.pool
        .query(`select pay_bonus($1, $2, $3, 200, '')`, [bonus, work, buyer.id])
        .catch(() => undefined)
      await eventually(async () => (await lockWaits(api.owner)) === 1)
      let isBought = false
      const buying = aPayment(api.database, buyer, { cents: 2000, coins: 500 }).then(() => (isBought = true))
      await eventually(async () => isBought || (await lockWaits(api.owner)) === 2)
      await holder.query('rollback')
      await Promise.all([paying, buying])
    })
    const earned = (await balanceOf(api.database, worker)) - 10 - 50
    assert.equal(await resting(worker), earned)
  })

  test('a payment made before the card purchase is not delayed, the next one is', async () => {
    const [buyer, last] = [await aBuyer(api.database), await aWorker(api.database)]
    const middle = await aWorker(api.database, { coins: 100 })
    const role = (value: string) =>
      api.database.pool.query('update users set role = $2 where id = $1', [middle.id, value])
    await role('Buyer')
    await earn(middle, last, 50)
    await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
    await role('Worker')
    await earn(buyer, middle, 300)
    assert.deepEqual([await resting(middle), await resting(last)], [250, 0])
    await role('Buyer')
    await earn(middle, last, 160)
    assert.equal(await resting(last), 100, '60 of them were there before')
  })

  test('a request after a change of the setting follows the new value', async () => {
    const [buyer, worker] = [await aBuyer(api.database), await aWorker(api.database)]
    await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
    await earn(buyer, worker, 400)
    assert.equal(await resting(worker), 350)
    await changeSettings(api.database, 'card_coins_rest', { restDays: 0, trustedRestDays: 0 })
    assert.equal(await resting(worker), 0)
    await changeSettings(api.database, 'card_coins_rest', { restDays: 0, trustedRestDays: 30 })
    assert.equal(await resting(worker), 0, 'a card that is not trusted')
    await changeSettings(api.database, 'card_coins_rest', rest)
    assert.equal((await request(worker, 200)).body.error.code, 'payout_limit')
  })

  test('a declined request leaves the same coins resting', async () => {
    const [buyer, worker] = [await aBuyer(api.database), await aWorker(api.database, { coins: 300 })]
    await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
    await earn(buyer, worker, 400)
    const { body } = await request(worker, 300)
    assert.ok(body.insertedId)
    assert.equal((await request(worker, 200)).status, 409)
    const decline = { status: 'declined', reason: 'Another number' }
    await api.as(await anAdmin(api.database)).patch(`/withdraw-status/${body.insertedId}`, decline)
    assert.equal(await resting(worker), 350)
    assert.equal((await request(worker, 361)).status, 409)
    assert.equal((await request(worker, 360)).status, 200)
  })
})
