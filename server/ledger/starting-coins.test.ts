import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  giveCoins,
  type TestUser,
  taskBody,
} from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'

describe('starting coins that need a purchase', () => {
  const api = useApi()
  const switchOn = () => changeSettings(api.database, 'sign_up_coins', { purchaseCents: 1000 })
  const switchOff = () => changeSettings(api.database, 'sign_up_coins', { purchaseCents: null })
  before(switchOn)

  const post = (buyer: TestUser, reward: number) =>
    api.as(buyer).post('/add-task', taskBody({ reward, slots: 1 }))
  const spendable = async (user: TestUser) =>
    (await api.as(user).get(`/user-details/${user.email}`)).body.spendable

  test('they pay for nothing before it, and for everything after', async () => {
    const buyer = await aBuyer(api.database)
    assert.equal(await spendable(buyer), 0)
    const refused = await post(buyer, 1)
    assert.equal(refused.body.error.code, 'insufficient_coins')
    assert.match(
      refused.body.error.message,
      /after you have bought coins for \$10\.00\. You can spend 0 coins now/,
    )
    await aPayment(api.database, buyer)
    assert.equal(await spendable(buyer), undefined)
    assert.equal((await post(buyer, 200)).status, 200)
    assert.equal(await balanceOf(api.database, buyer), 0)
  })

  test('bought coins can be spent, whatever they cost', async () => {
    const buyer = await aBuyer(api.database)
    await aPayment(api.database, buyer, { cents: 100, coins: 10 })
    assert.equal(await spendable(buyer), 10)
    assert.match((await post(buyer, 11)).body.error.message, /You can spend 10 coins now/)
    assert.equal((await post(buyer, 10)).status, 200)
    assert.equal((await post(buyer, 1)).status, 409)
  })

  test('a refunded purchase does not count, and does not make other coins spendable', async () => {
    const buyer = await aBuyer(api.database)
    const payment = await aPayment(api.database, buyer)
    await reverse(api.database, payment, 1000)
    assert.equal(await spendable(buyer), 0)
    assert.equal((await post(buyer, 1)).status, 409)
    const small = await aPayment(api.database, buyer, { cents: 100, coins: 10 })
    assert.equal((await post(buyer, 10)).status, 200)
    await reverse(api.database, small, 100)
    assert.equal(await balanceOf(api.database, buyer), 40)
    assert.equal(await spendable(buyer), 0)
    assert.equal((await post(buyer, 1)).status, 409)
  })

  test('they are locked when they return from an escrow after the purchase was refunded', async () => {
    const buyer = await aBuyer(api.database)
    const payment = await aPayment(api.database, buyer)
    const task = await aTask(api.database, buyer, { reward: 100, slots: 1 })
    assert.equal((await api.as(buyer).post(`/tasks/${task}/slots`, { slots: 1 })).status, 200)
    await reverse(api.database, payment, 1000)
    await api.as(buyer).post(`/tasks/${task}/close`)
    assert.equal(await balanceOf(api.database, buyer), 50)
    assert.equal(await spendable(buyer), 0)
    assert.equal((await post(buyer, 1)).body.error.code, 'insufficient_coins')
    await giveCoins(api.database, buyer.accountId, 20)
    assert.equal(await spendable(buyer), 20)
  })

  test('those that paid a worker stay spent when other coins return from the same escrow', async () => {
    const buyer = await aBuyer(api.database)
    const payment = await aPayment(api.database, buyer)
    const task = await aTask(api.database, buyer, { reward: 180, slots: 1 })
    const submission = await aSubmission(api.database, task, await aWorker(api.database))
    await api.as(buyer).patch(`/update-submission-status/${submission}`, { status: 'approved' })
    await giveCoins(api.database, buyer.accountId, 160)
    assert.equal((await api.as(buyer).post(`/tasks/${task}/slots`, { slots: 1 })).status, 200)
    await api.as(buyer).post(`/tasks/${task}/close`)
    await reverse(api.database, payment, 1000)
    assert.equal(await balanceOf(api.database, buyer), 30)
    assert.equal(await spendable(buyer), 10, '20 of the starting coins were left after the first slot')
  })

  test('a top-up, a reopened task and a bonus do not spend them either', async () => {
    const buyer = await aBuyer(api.database, { coins: 20 })
    const worker = await aWorker(api.database)
    const task = await aTask(api.database, buyer, { reward: 10, slots: 2 })
    const submission = await aSubmission(api.database, task, worker)
    await api.as(buyer).patch(`/update-submission-status/${submission}`, { status: 'approved' })
    const codes = [
      await api.as(buyer).post(`/tasks/${task}/slots`, { slots: 1 }),
      await api.as(buyer).post(`/submissions/${submission}/bonus`, { coins: 1, message: 'Thank you' }),
    ].map(({ body }) => body.error.code)
    assert.deepEqual(codes, ['insufficient_coins', 'insufficient_coins'])
    await api.as(buyer).post(`/tasks/${task}/close`)
    assert.equal(await spendable(buyer), 10)
    assert.equal((await api.as(buyer).post(`/tasks/${task}/reopen`)).status, 200)
  })

  test('ten tasks at once do not spend them', async () => {
    const buyer = await aBuyer(api.database, { coins: 30 })
    const responses = await atOnce(10, () => post(buyer, 10))
    const posted = responses.filter((one) => one.status === 'fulfilled' && one.value.status === 200)
    assert.equal(posted.length, 3)
    assert.equal(await balanceOf(api.database, buyer), 50)
  })

  test('after they were spent, all later coins are spendable', async () => {
    const buyer = await aBuyer(api.database)
    await switchOff()
    assert.equal((await post(buyer, 35)).status, 200)
    await switchOn()
    assert.equal(await spendable(buyer), 0)
    await giveCoins(api.database, buyer.accountId, 20)
    assert.equal(await spendable(buyer), 20)
    assert.equal((await post(buyer, 20)).status, 200)
    assert.equal((await post(buyer, 1)).status, 409)
  })

  test('a worker cannot withdraw them', async () => {
    const worker = await aWorker(api.database, { coins: 205 })
    const request = (withdrawalCoin: number) =>
      api.as(worker).post(`/withdraw/${worker.email}`, {
        withdrawalCoin,
        payment_system: 'Bkash',
        accountNumber: '01712345678',
      })
    const refused = await request(206)
    assert.equal(refused.body.error.code, 'payout_limit')
    assert.match(refused.body.error.message, /withdraw 205 coins now. 10 coins are starting coins/)
    assert.equal((await request(205)).status, 200)
  })
})
