import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OPERATOR_SETTINGS } from '#contract/operator-settings.ts'
import type { Withdrawable } from '#contract/withdrawals.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  giveCoins,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { requestWithdrawal } from './request.ts'

const BKASH = { payment_system: 'Bkash', accountNumber: '01712345678' }
const NAGAD = { payment_system: 'Nagad', accountNumber: '01812345678' }

describe('limits of payouts', () => {
  const api = useApi()
  const request = (worker: TestUser, withdrawalCoin: number, account: object = BKASH) =>
    api.as(worker).post(`/withdraw/${worker.email}`, { ...account, withdrawalCoin })
  const pay = async (id: string) =>
    api.as(await anAdmin(api.database)).patch(`/withdraw-status/${id}`, { status: 'approved' })
  const withdrawable = async (worker: TestUser): Promise<Withdrawable> =>
    (await api.as(worker).get('/withdrawable')).body

  /** Pays a worker for a task of this buyer. */
  async function earn(buyer: TestUser, worker: TestUser, coins: number): Promise<string> {
    const task = await aTask(api.database, buyer, { slots: 1, reward: coins })
    const submission = await aSubmission(api.database, task, worker)
    await approveSubmission(api.database, submission, buyer.id)
    return submission
  }

  describe('the first payout', () => {
    before(() => changeSettings(api.database, 'payout_limits', { firstPayoutCents: 1500 }))
    after(() => changeSettings(api.database, 'payout_limits', OPERATOR_SETTINGS.payout_limits.default))

    test('is limited, and the next is not once it was paid', async () => {
      const worker = await aWorker(api.database, { coins: 1000 })
      assert.equal((await withdrawable(worker)).unverified, 300)
      const refused = await request(worker, 301)
      assert.equal(refused.body.error.code, 'payout_limit')
      assert.match(refused.body.error.message, /at most \$15\.00\. You can withdraw 300 coins now/)
      const first = await request(worker, 300)
      assert.equal((await withdrawable(worker)).unverified, 0)
      const second = await request(worker, 200)
      assert.match(
        second.body.error.message,
        /You cannot withdraw to this account now/,
        'the first one is pending',
      )
      await pay(first.body.insertedId)
      assert.equal((await request(worker, 500)).status, 200)
      assert.equal(
        (await request(worker, 200, NAGAD)).status,
        200,
        'another account has its own first payout',
      )
    })

    test('is named where another limit leaves more', async () => {
      await changeSettings(api.database, 'sign_up_coins', { purchaseCents: 1000 })
      const worker = await aWorker(api.database, { coins: 500 })
      const refused = await request(worker, 510)
      await changeSettings(api.database, 'sign_up_coins', OPERATOR_SETTINGS.sign_up_coins.default)
      assert.match(refused.body.error.message, /first payout .* You can withdraw 300 coins now/)
    })

    test('is one for all accounts: five new accounts at once get no more than one', async () => {
      const worker = await aWorker(api.database, { coins: 2000 })
      const responses = await atOnce(5, (index) =>
        request(worker, 200, { ...BKASH, accountNumber: `0171234560${index}` }),
      )
      const accepted = responses.filter((one) => one.status === 'fulfilled' && one.value.status === 200)
      assert.equal(accepted.length, 1)
    })

    test('a declined request leaves the limit as it was', async () => {
      const worker = await aWorker(api.database, { coins: 1000 })
      const { insertedId } = (await request(worker, 300)).body
      const decline = { status: 'declined', reason: 'Another number, please' }
      await api.as(await anAdmin(api.database)).patch(`/withdraw-status/${insertedId}`, decline)
      assert.equal((await request(worker, 300, NAGAD)).status, 200)
    })
  })

  describe('one buyer in 30 days', () => {
    before(() => changeSettings(api.database, 'payout_limits', { pairCents: 2000 }))
    after(() => changeSettings(api.database, 'payout_limits', OPERATOR_SETTINGS.payout_limits.default))

    test('pays at most the limit to an account that is not verified', async () => {
      const worker = await aWorker(api.database)
      const [one, two] = [
        await aBuyer(api.database, { coins: 1000 }),
        await aBuyer(api.database, { coins: 1000 }),
      ]
      await payBonus(api.database, await earn(one, worker, 600), one.id, { coins: 100, message: 'Thanks' })
      await earn(two, worker, 300)
      assert.deepEqual(await withdrawable(worker), {
        verified: 1010,
        unverified: 710,
        later: [{ cause: 'pair', coins: 300, from: null, until: null }],
      })
      const refused = await request(worker, 711)
      assert.match(refused.body.error.message, /withdraw 710 coins now\. 300 coins come from one buyer/)
      const responses = await atOnce(5, () => request(worker, 400))
      const accepted = responses.filter((each) => each.status === 'fulfilled' && each.value.status === 200)
      assert.equal(accepted.length, 1)
      const id = accepted.map((each) => (each.status === 'fulfilled' ? each.value.body.insertedId : ''))[0]
      assert.equal((await request(worker, 311)).status, 409)
      await pay(id)
      assert.equal((await request(worker, 610)).status, 200)
    })

    test('pays without a limit after 30 days', async () => {
      const worker = await aWorker(api.database)
      const buyer = await aBuyer(api.database, { coins: 1000 })
      await earn(buyer, worker, 1000)
      assert.equal((await request(worker, 500)).status, 409)
      await atTime(api.url, later(new Date(), { days: 31 }), (database) =>
        requestWithdrawal(
          database,
          testConfig,
          worker,
          { coins: 1000, system: 'Bkash', accountNumber: BKASH.accountNumber },
          {},
        ),
      )
    })
  })

  describe('coins bought by card', () => {
    before(() =>
      changeSettings(api.database, 'card_coins_rest', {
        restDays: 7,
        trustedRestDays: 2,
        trustedCardDays: 60,
        trustedPersonDays: 60,
      }),
    )
    after(() => changeSettings(api.database, 'card_coins_rest', OPERATOR_SETTINGS.card_coins_rest.default))

    const cardPart = async (worker: TestUser) =>
      (await withdrawable(worker)).later.filter(({ cause }) => cause === 'card')
    const resting = async (worker: TestUser) =>
      (await cardPart(worker)).reduce((sum, { coins }) => sum + coins, 0)

    test('are delayed for the worker who earns them, and no others are', async () => {
      const worker = await aWorker(api.database)
      const old = await aBuyer(api.database, { coins: 500 })
      const young = await aBuyer(api.database)
      await earn(old, worker, 500)
      await aPayment(api.database, young, { cents: 2000, coins: 500 })
      await earn(young, worker, 400)
      // 50 of them are the buyer's starting coins, which came first.
      assert.equal(await resting(worker), 350)
      assert.equal((await withdrawable(worker)).verified, 560)
      const refused = await request(worker, 561)
      assert.equal(refused.body.error.code, 'payout_limit')
      assert.match(
        refused.body.error.message,
        /withdraw 560 coins now\. 350 coins were paid for by card recently, and will be available for withdrawal within 7 days/,
      )
      assert.equal((await request(worker, 560)).status, 200)
      assert.equal((await request(worker, 200)).status, 409)
      await atTime(api.url, later(new Date(), { days: 7, minutes: 1 }), (database) =>
        requestWithdrawal(
          database,
          testConfig,
          worker,
          { coins: 350, system: 'Bkash', accountNumber: BKASH.accountNumber },
          {},
        ),
      )
    })

    test("a buyer's earlier coins pay first, also through a closed task", async () => {
      const worker = await aWorker(api.database)
      const buyer = await aBuyer(api.database, { coins: 250 })
      const unused = await aTask(api.database, buyer, { slots: 1, reward: 300 })
      await aPayment(api.database, buyer, { cents: 3500, coins: 1000 })
      await api.as(buyer).post(`/tasks/${unused}/close`)
      await earn(buyer, worker, 300)
      assert.equal(await resting(worker), 0)
      await earn(buyer, worker, 200)
      assert.equal(await resting(worker), 200)
      const next = await aWorker(api.database)
      await giveCoins(api.database, buyer.accountId, 400)
      await earn(buyer, next, 1000)
      assert.equal(await resting(next), 800)
      assert.equal(await resting(worker), 200)
    })

    test('rest as before a dispute that was won, and opened and won again', async () => {
      const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
      const payment = await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
      await earn(buyer, worker, 100)
      for (const cents of [2000, 0, 2000, 0]) await reverse(api.database, payment, cents)
      await earn(buyer, worker, 400)
      assert.equal(await resting(worker), 450)
      const open = await aTask(api.database, buyer, { slots: 1, reward: 50 })
      await reverse(api.database, payment, 2000)
      await api.as(buyer).post(`/tasks/${open}/close`)
      await reverse(api.database, payment, 0)
      assert.equal(await resting(worker), 450)
    })

    test('do not rest after a refund took them back', async () => {
      const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
      const payment = await aPayment(api.database, buyer)
      await reverse(api.database, payment, 1000)
      await earn(buyer, worker, 40)
      assert.equal(await resting(worker), 0)
      await api.database.pool.query(`update users set role = 'Worker' where id = $1`, [buyer.id])
      await earn(await aBuyer(api.database, { coins: 250 }), { ...buyer, role: 'Worker' }, 250)
      assert.deepEqual(await withdrawable(buyer), { verified: 260, unverified: 260, later: [] })
      assert.equal((await request(buyer, 260)).status, 200)
    })

    test('rest to the part that a refund left', async () => {
      const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
      const payment = await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
      await reverse(api.database, payment, 1000)
      await earn(buyer, worker, 200)
      assert.equal(await resting(worker), 150)
      await api.database.pool.query(`update users set role = 'Worker' where id = $1`, [buyer.id])
      assert.equal(await resting(buyer), 100, '150 of them were spent')
    })

    test('rest for the worker who earned them before they were refunded, until the debt is paid', async () => {
      const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
      const earlier = await aPayment(api.database, buyer, { cents: 500, coins: 80 })
      await reverse(api.database, earlier, 500)
      const payment = await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
      await earn(buyer, worker, 400)
      await reverse(api.database, payment, 2000)
      assert.equal(await resting(worker), 350)
      await giveCoins(api.database, buyer.accountId, 100)
      assert.equal(await resting(worker), 250)
      const next = await aPayment(api.database, buyer, { cents: 2000, coins: 300 })
      assert.equal(await resting(worker), 250, 'a young payment paid it')
      await reverse(api.database, next, 2000)
      assert.equal(await resting(worker), 250)
      await giveCoins(api.database, buyer.accountId, 250)
      assert.equal(await resting(worker), 0)
    })

    test('of one payment rest when another was refunded, and a closed task repaid it', async () => {
      const [worker, buyer] = [await aWorker(api.database), await aBuyer(api.database)]
      const [first, second] = [await aPayment(api.database, buyer), await aPayment(api.database, buyer)]
      const task = await aTask(api.database, buyer, { slots: 1, reward: 350 })
      await reverse(api.database, first, 1000)
      await api.as(buyer).post(`/tasks/${task}/close`)
      await earn(buyer, worker, 60)
      assert.equal(await resting(worker), 10)
      await reverse(api.database, second, 1000)
      assert.equal(await resting(worker), 10)
    })

    test('rest after a task was closed and posted again, and through bonuses', async () => {
      const worker = await aWorker(api.database)
      const buyer = await aBuyer(api.database)
      await aPayment(api.database, buyer, { cents: 1000, coins: 150 })
      for (let round = 0; round < 3; round++) {
        const task = await aTask(api.database, buyer, { slots: 1, reward: 200 })
        await api.as(buyer).post(`/tasks/${task}/close`)
      }
      const submission = await earn(buyer, worker, 100)
      await payBonus(api.database, submission, buyer.id, { coins: 100, message: 'Thanks' })
      assert.equal(await resting(worker), 150)
    })

    test('rest for the buyer too, who becomes a worker and requests them', async () => {
      const buyer = await aBuyer(api.database)
      await aPayment(api.database, buyer, { cents: 3500, coins: 1000 })
      await api.as(await anAdmin(api.database)).put(`/update-role/${buyer.id}`, { value: 'Worker' })
      assert.equal((await request(buyer, 200)).body.error.code, 'payout_limit')
    })

    test('do not rest for the buyer who spent them, became a worker and earned others', async () => {
      const buyer = await aBuyer(api.database)
      const worker = { ...buyer, role: 'Worker' as const }
      await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
      await earn(buyer, await aWorker(api.database), 550)
      await api.as(await anAdmin(api.database)).put(`/update-role/${buyer.id}`, { value: 'Worker' })
      await earn(await aBuyer(api.database, { coins: 400 }), worker, 400)
      assert.deepEqual(await withdrawable(worker), { verified: 400, unverified: 400, later: [] })
      assert.equal((await request(worker, 400)).status, 200)
    })

    test('rest for the buyer as far as they were not spent, also when others were withdrawn', async () => {
      const [admin, buyer] = [await anAdmin(api.database), await aBuyer(api.database)]
      const worker = { ...buyer, role: 'Worker' as const }
      const become = (value: string) => api.as(admin).put(`/update-role/${buyer.id}`, { value })
      await aPayment(api.database, buyer, { cents: 2000, coins: 500 })
      await earn(buyer, await aWorker(api.database), 250)
      const open = await aTask(api.database, buyer, { slots: 1, reward: 200 })
      await become('Worker')
      await earn(await aBuyer(api.database, { coins: 400 }), worker, 400)
      assert.equal(await resting(worker), 300, 'those in an escrow count')
      await become('Buyer')
      await api.as(buyer).post(`/tasks/${open}/close`)
      await become('Worker')
      const { body } = await request(worker, 400)
      assert.ok(body.insertedId)
      assert.equal((await request(worker, 200)).status, 409)
      await pay(body.insertedId)
      assert.equal((await request(worker, 200)).status, 409)
      await earn(await aBuyer(api.database, { coins: 250 }), worker, 250)
      assert.equal((await request(worker, 251)).status, 409)
      assert.equal((await request(worker, 250)).status, 200)
    })

    test('are followed through a worker who becomes a buyer', async () => {
      const middle = await aWorker(api.database)
      const last = await aWorker(api.database)
      const first = await aBuyer(api.database)
      await aPayment(api.database, first, { cents: 2000, coins: 500 })
      await earn(first, middle, 550)
      assert.equal(await resting(middle), 500)
      await api.as(await anAdmin(api.database)).put(`/update-role/${middle.id}`, { value: 'Buyer' })
      await earn({ ...middle, role: 'Buyer' }, last, 560)
      assert.equal(await resting(last), 500)
    })

    test('of an old card and an old buyer rest for a shorter time', async () => {
      const fingerprint = 'card_of_rahim'
      const [buyer, worker] = [await aBuyer(api.database), await aWorker(api.database)]
      const monthsAgo = later(new Date(), { days: -90 })
      await api.database.pool.query('update users set created_at = $2 where id = $1', [buyer.id, monthsAgo])
      await atTime(api.url, monthsAgo, (database) =>
        aPayment(database, buyer, { cents: 100, coins: 10, fingerprint }),
      )
      await aPayment(api.database, buyer, { cents: 1000, coins: 150, fingerprint })
      await earn(buyer, worker, 210)
      const [part] = await cardPart(worker)
      assert.equal(part?.coins, 150)
      const days = (Date.parse(part?.until ?? '') - Date.now()) / 86_400_000
      assert.equal(Math.round(days), 2)
      await aPayment(api.database, buyer, { cents: 1000, coins: 150, fingerprint: 'card_of_another' })
      await earn(buyer, worker, 150)
      assert.equal(await resting(worker), 300)
    })
  })
})
