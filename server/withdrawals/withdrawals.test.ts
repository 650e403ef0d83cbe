import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { OPERATOR_SETTINGS } from '#contract/operator-settings.ts'
import { ACCOUNT_NUMBER_HINT, accountNumberOf, type Withdrawable } from '#contract/withdrawals.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  type TestUser,
} from '#tests/support/factories.ts'
import { aPayment } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'

const REQUEST = { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber: '01712345678' }

describe('withdrawals', () => {
  const api = useApi()
  const requestCoins = (worker: TestUser, body: object = {}) =>
    api.as(worker).post(`/withdraw/${worker.email}`, { ...REQUEST, ...body })
  const balance = (user: TestUser) => balanceOf(api.database, user)
  const decide = (admin: TestUser, id: string, body: object) =>
    api.as(admin).patch(`/withdraw-status/${id}`, body)
  const codes = (responses: PromiseSettledResult<{ status: number; body: { error?: { code: string } } }>[]) =>
    responses
      .map((one) => (one.status === 'fulfilled' ? (one.value.body.error?.code ?? 'good') : 'failed'))
      .sort()

  /** Creates a pending request for 200 of a worker's 310 coins. */
  async function aRequest() {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database, { coins: 300 })
    const { body } = await requestCoins(worker)
    return { admin, worker, id: body.insertedId as string }
  }

  test('requested coins leave the available balance, and the response has both forms of the id', async () => {
    const worker = await aWorker(api.database, { coins: 300 })
    const { status, body } = await requestCoins(worker, { withdrawalCoin: 205, withdrawal_amount: 10.25 })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      acknowledged: true,
      insertedId: body.insertedId,
      post: { acknowledged: true, insertedId: body.insertedId },
    })
    assert.equal(await balance(worker), 105)
    const [own] = (await api.as(worker).get(`/withdraw/${worker.email}`)).body
    assert.equal(own._id, body.insertedId)
    assert.equal(own.withdrawalCoin, 205)
    assert.equal(own.withdrawal_amount, 10.25)
    assert.equal(own.account, own.accountNumber)
    assert.match(own.formatted, /^\d{4}-\d\d-\d\d$/)
  })

  test('ten concurrent withdrawals cannot hold more coins than the balance', async () => {
    const worker = await aWorker(api.database, { coins: 400 })
    const responses = await atOnce(10, () => requestCoins(worker))
    assert.deepEqual(
      codes(responses),
      [...Array<string>(2).fill('good'), ...Array<string>(8).fill('insufficient_coins')].sort(),
    )
    assert.equal(await balance(worker), 10)
  })

  test("an Admin finds requests by the worker's name, oldest first, in pages", async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database, { coins: 600, name: 'Zubaida Khatun' })
    const ids = [await requestCoins(worker), await requestCoins(worker), await requestCoins(worker)].map(
      ({ body }) => body.insertedId,
    )
    const path = '/withdraw?q=zubai&limit=2'
    const first = await api.as(admin).get(path)
    const second = await api.as(admin).get(`${path}${first.next}`)
    const listed = [...first.body, ...second.body].map(({ _id }: { _id: string }) => _id)
    assert.deepEqual(listed, ids)
    assert.equal(second.next, '')
  })

  test('a rejected request has the prescribed message', async () => {
    const poor = await aWorker(api.database)
    const rich = await aWorker(api.database, { coins: 300 })
    const errorOf = async (worker: TestUser, body: object) => {
      const response = await requestCoins(worker, body)
      return [response.status, response.body.error?.code, response.body.error?.message]
    }
    assert.deepEqual(await errorOf(poor, {}), [
      409,
      'insufficient_coins',
      'Minimum 200 coins required. You have 10.',
    ])
    assert.deepEqual(await errorOf(rich, { withdrawalCoin: 311 }), [
      409,
      'insufficient_coins',
      "Can't withdraw more than available coins.",
    ])
    const tooLittle = [422, 'invalid_fields', 'Minimum withdraw amount is 200 coins.']
    assert.deepEqual(await errorOf(rich, { withdrawalCoin: 199 }), tooLittle)
    assert.deepEqual(await errorOf(rich, { withdrawalCoin: -5 }), tooLittle)
    assert.deepEqual((await errorOf(rich, { withdrawalCoin: '200' }))[0], 400)
    assert.deepEqual((await errorOf(rich, { withdrawalCoin: 200.5 }))[0], 422)
    assert.deepEqual((await errorOf(rich, { withdrawal_amount: 1000 }))[1], 'invalid_fields')
    assert.deepEqual((await errorOf(rich, { workerEmail: poor.email }))[1], 'not_yours')
    assert.deepEqual((await errorOf(rich, { payment_system: 'Paypal' }))[0], 422)
    assert.deepEqual(await errorOf(rich, { accountNumber: '12345' }), [
      422,
      'invalid_fields',
      ACCOUNT_NUMBER_HINT.Bkash,
    ])
    assert.equal(await balance(rich), 310)
  })

  test('account numbers are accepted in the common notations', () => {
    const cases = [
      ['Bkash', '01712345678', '01712345678'],
      ['Bkash', '+880 1712-345678', '01712345678'],
      ['Nagad', '8801912345678', '01912345678'],
      ['Bkash', '০১৭১২৩৪৫৬৭৮', '01712345678'],
      ['Bkash', '01212345678', undefined],
      ['Bkash', '017123456789', undefined],
      ['Rocket', '017123456789', '017123456789'],
      ['Rocket', '01712345678', undefined],
      ['Nagad', '0171234567a', undefined],
      ['Bank', 'Sonali Bank,  Dhaka, 0012345678901', 'Sonali Bank, Dhaka, 0012345678901'],
      ['Bank', '-- !', undefined],
      ['Other', 'ab', undefined],
      ['Other', 'pay\u202e1234', undefined],
    ] as const
    for (const [system, typed, normalized] of cases)
      assert.equal(accountNumberOf(system, typed), normalized, typed)
  })

  test('ten concurrent approvals pay once and notify the worker once', async () => {
    const { admin, worker, id } = await aRequest()
    const payload = { status: 'approved', email: worker.email, coin: 200, amount: 10 }
    const responses = await Promise.all(Array.from({ length: 10 }, () => decide(admin, id, payload)))
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body.matchedCount]),
      Array(10).fill([200, 1]),
    )
    assert.equal(
      responses.reduce((sum, { body }) => sum + body.modifiedCount, 0),
      1,
    )
    assert.equal(await balance(worker), 110)
    const notifications = (await api.as(worker).get(`/notifications/${worker.email}`)).body
    assert.equal(
      notifications.filter(({ message }: { message: string }) => /Payment Success/.test(message)).length,
      1,
    )
    assert.equal((await decide(admin, id, { status: 'declined', reason: 'No' })).status, 409)
  })

  test('one of a concurrent approval and decline wins, the other gets already_decided', async () => {
    for (let round = 0; round < 6; round++) {
      const { admin, worker, id } = await aRequest()
      const responses = await Promise.allSettled([
        decide(admin, id, { status: 'approved' }),
        decide(admin, id, { status: 'declined', reason: 'The number is not yours' }),
      ])
      assert.deepEqual(codes(responses), ['already_decided', 'good'])
      const approved = responses[0].status === 'fulfilled' && responses[0].value.status === 200
      assert.equal(await balance(worker), approved ? 110 : 310)
    }
  })

  test('a decline needs a reason, returns the coins once and shows the worker the reason', async () => {
    const { admin, worker, id } = await aRequest()
    assert.equal((await decide(admin, id, { status: 'declined' })).status, 422)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => decide(admin, id, { status: 'declined', reason: 'Wrong number' })),
    )
    assert.equal(
      responses.reduce((sum, { body }) => sum + body.modifiedCount, 0),
      1,
    )
    assert.equal(await balance(worker), 310)
    const [own] = (await api.as(worker).get(`/withdraw/${worker.email}`)).body
    assert.equal(own.status, 'declined')
    assert.equal(own.reason, 'Wrong number')
  })

  test('a decision with contradicting values is rejected', async () => {
    const { admin, worker, id } = await aRequest()
    for (const shown of [{ email: 'somebody@example.com' }, { coin: 2000 }, { amount: 100 }]) {
      const response = await decide(admin, id, { status: 'approved', ...shown })
      assert.equal(response.status, 409)
      assert.equal(response.body.error.code, 'state_conflict')
    }
    assert.equal((await decide(admin, id, { status: 'pending' })).status, 422)
    assert.equal((await decide(admin, randomUUID(), { status: 'approved' })).status, 404)
    assert.equal(await balance(worker), 110)
    assert.equal(
      (await decide(admin, id, { status: 'approved', email: worker.email.toUpperCase() })).status,
      200,
    )
  })

  test('a worker who became an Admin cannot decide their own request', async () => {
    const { admin, worker, id } = await aRequest()
    assert.equal((await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Admin' })).status, 200)
    const response = await decide(worker, id, { status: 'approved' })
    assert.equal(response.body.error.code, 'yourself')
    assert.equal((await decide(admin, id, { status: 'approved' })).body.modifiedCount, 1)
  })

  test('two requests with one idempotency key hold the coins once', async () => {
    const worker = await aWorker(api.database, { coins: 600 })
    const key = { 'idempotency-key': randomUUID() }
    const send = () => api.as(worker).post(`/withdraw/${worker.email}`, REQUEST, key)
    const [first, second] = [await send(), await send()]
    assert.deepEqual(first.body, second.body)
    assert.equal(await balance(worker), 410)
  })
})

describe('withdrawals with a holding time', () => {
  const api = useApi({ holdingDays: 7 })

  test('recently earned coins cannot be withdrawn, older ones can', async () => {
    const worker = await aWorker(api.database, { coins: 250 })
    const buyer = await aBuyer(api.database, { coins: 100 })
    const task = await aTask(api.database, buyer, { slots: 1, reward: 100 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const requestCoins = (coins: number) =>
      api.as(worker).post(`/withdraw/${worker.email}`, { ...REQUEST, withdrawalCoin: coins })
    const refused = await requestCoins(261)
    assert.equal(refused.body.error.code, 'holding_time')
    assert.match(refused.body.error.message, /260 coins now/)
    assert.equal((await requestCoins(260)).status, 200)
  })

  test('nothing can be withdrawn where less than the minimum has been held long enough', async () => {
    const worker = await aWorker(api.database, { coins: 140 })
    const buyer = await aBuyer(api.database, { coins: 250 })
    const task = await aTask(api.database, buyer, { slots: 1, reward: 250 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const { verified, unverified, later: held } = (await api.as(worker).get('/withdrawable')).body
    assert.deepEqual([verified, unverified, held[0].coins], [0, 0, 250])
    const refused = await api
      .as(worker)
      .post(`/withdraw/${worker.email}`, { ...REQUEST, withdrawalCoin: 250 })
    assert.equal(refused.body.error.code, 'holding_time')
    assert.match(refused.body.error.message, /You cannot withdraw now: .* the minimum of 200 coins\./)
  })

  test('card coins that rest longer than they are held have the cause that ends later', async () => {
    await changeSettings(api.database, 'card_coins_rest', { restDays: 30, trustedRestDays: 3 })
    const [buyer, worker] = [await aBuyer(api.database), await aWorker(api.database)]
    await aPayment(api.database, buyer, { cents: 3500, coins: 1000 })
    const task = await aTask(api.database, buyer, { slots: 1, reward: 1000 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const { later: delayed } = (await api.as(worker).get('/withdrawable')).body as Withdrawable
    const refused = await api
      .as(worker)
      .post(`/withdraw/${worker.email}`, { ...REQUEST, withdrawalCoin: 1000 })
    await changeSettings(api.database, 'card_coins_rest', OPERATOR_SETTINGS.card_coins_rest.default)
    // 50 of them are the buyer's starting coins, which came first.
    assert.deepEqual(
      delayed.map(({ cause, coins, until }) => [
        cause,
        coins,
        Math.round((Date.parse(until ?? '') - Date.now()) / 86_400_000),
      ]),
      [
        ['card', 950, 30],
        ['holding', 50, 7],
      ],
    )
    assert.equal(refused.body.error.code, 'payout_limit')
  })
})
