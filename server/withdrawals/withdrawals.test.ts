import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { ACCOUNT_NUMBER_HINT, accountNumberOf } from '#contract/withdrawals.ts'
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

const WISH = { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber: '01712345678' }

describe('withdrawals', () => {
  const api = useApi()
  const ask = (worker: TestUser, body: object = {}) =>
    api.as(worker).post(`/withdraw/${worker.email}`, { ...WISH, ...body })
  const balance = (person: TestUser) => balanceOf(api.database, person)
  const decide = (admin: TestUser, id: string, body: object) =>
    api.as(admin).patch(`/withdraw-status/${id}`, body)
  const codes = (answers: PromiseSettledResult<{ status: number; body: { error?: { code: string } } }>[]) =>
    answers
      .map((one) => (one.status === 'fulfilled' ? (one.value.body.error?.code ?? 'good') : 'failed'))
      .sort()

  /** A worker's pending request for 200 of their 310 coins. */
  async function aRequest() {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database, { coins: 300 })
    const { body } = await ask(worker)
    return { admin, worker, id: body.insertedId as string }
  }

  test('coins leave the spendable balance at once; both readings of the answer are there', async () => {
    const worker = await aWorker(api.database, { coins: 300 })
    const { status, body } = await ask(worker, { withdrawalCoin: 205, withdrawal_amount: 10.25 })
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

  test('ten withdrawals at once on one balance: the coins are held once', async () => {
    const worker = await aWorker(api.database, { coins: 400 })
    const answers = await atOnce(10, () => ask(worker))
    assert.deepEqual(
      codes(answers),
      [...Array<string>(2).fill('good'), ...Array<string>(8).fill('insufficient_coins')].sort(),
    )
    assert.equal(await balance(worker), 10)
  })

  test('the Admin finds a request by the name of its worker, oldest first, page by page', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database, { coins: 600, name: 'Zubaida Khatun' })
    const ids = [await ask(worker), await ask(worker), await ask(worker)].map(({ body }) => body.insertedId)
    const path = '/withdraw?q=zubai&limit=2'
    const first = await api.as(admin).get(path)
    const second = await api.as(admin).get(`${path}${first.next}`)
    const found = [...first.body, ...second.body].map(({ _id }: { _id: string }) => _id)
    assert.deepEqual(found, ids)
    assert.equal(second.next, '')
  })

  test('the rules say why', async () => {
    const poor = await aWorker(api.database)
    const rich = await aWorker(api.database, { coins: 300 })
    const says = async (worker: TestUser, body: object) => {
      const answer = await ask(worker, body)
      return [answer.status, answer.body.error?.code, answer.body.error?.message]
    }
    assert.deepEqual(await says(poor, {}), [
      409,
      'insufficient_coins',
      'Minimum 200 coins required. You have 10.',
    ])
    assert.deepEqual(await says(rich, { withdrawalCoin: 311 }), [
      409,
      'insufficient_coins',
      "Can't withdraw more than available coins.",
    ])
    const tooLittle = [422, 'invalid_fields', 'Minimum withdraw amount is 200 coins.']
    assert.deepEqual(await says(rich, { withdrawalCoin: 199 }), tooLittle)
    assert.deepEqual(await says(rich, { withdrawalCoin: -5 }), tooLittle)
    assert.deepEqual((await says(rich, { withdrawalCoin: '200' }))[0], 400)
    assert.deepEqual((await says(rich, { withdrawalCoin: 200.5 }))[0], 422)
    assert.deepEqual((await says(rich, { withdrawal_amount: 1000 }))[1], 'invalid_fields')
    assert.deepEqual((await says(rich, { workerEmail: poor.email }))[1], 'not_yours')
    assert.deepEqual((await says(rich, { payment_system: 'Paypal' }))[0], 422)
    assert.deepEqual(await says(rich, { accountNumber: '12345' }), [
      422,
      'invalid_fields',
      ACCOUNT_NUMBER_HINT.Bkash,
    ])
    assert.equal(await balance(rich), 310)
  })

  test('account numbers as people type them', () => {
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
    for (const [system, typed, kept] of cases) assert.equal(accountNumberOf(system, typed), kept, typed)
  })

  test('approved ten times at once pays once; the worker is told once', async () => {
    const { admin, worker, id } = await aRequest()
    const payload = { status: 'approved', email: worker.email, coin: 200, amount: 10 }
    const answers = await Promise.all(Array.from({ length: 10 }, () => decide(admin, id, payload)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.matchedCount]),
      Array(10).fill([200, 1]),
    )
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.modifiedCount, 0),
      1,
    )
    assert.equal(await balance(worker), 110)
    const notices = (await api.as(worker).get(`/notifications/${worker.email}`)).body
    assert.equal(
      notices.filter(({ message }: { message: string }) => /Payment Success/.test(message)).length,
      1,
    )
    assert.equal((await decide(admin, id, { status: 'declined', reason: 'No' })).status, 409)
  })

  test('approve against decline: one wins, the other is told', async () => {
    for (let round = 0; round < 6; round++) {
      const { admin, worker, id } = await aRequest()
      const answers = await Promise.allSettled([
        decide(admin, id, { status: 'approved' }),
        decide(admin, id, { status: 'declined', reason: 'The number is not yours' }),
      ])
      assert.deepEqual(codes(answers), ['already_decided', 'good'])
      const approved = answers[0].status === 'fulfilled' && answers[0].value.status === 200
      assert.equal(await balance(worker), approved ? 110 : 310)
    }
  })

  test('a decline needs a reason, returns the coins once, and the worker reads why', async () => {
    const { admin, worker, id } = await aRequest()
    assert.equal((await decide(admin, id, { status: 'declined' })).status, 422)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => decide(admin, id, { status: 'declined', reason: 'Wrong number' })),
    )
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.modifiedCount, 0),
      1,
    )
    assert.equal(await balance(worker), 310)
    const [own] = (await api.as(worker).get(`/withdraw/${worker.email}`)).body
    assert.equal(own.status, 'declined')
    assert.equal(own.reason, 'Wrong number')
  })

  test('a decision on another request than the one there is refused', async () => {
    const { admin, worker, id } = await aRequest()
    for (const claim of [{ email: 'somebody@example.com' }, { coin: 2000 }, { amount: 100 }]) {
      const answer = await decide(admin, id, { status: 'approved', ...claim })
      assert.equal(answer.status, 409)
      assert.equal(answer.body.error.code, 'state_conflict')
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
    const answer = await decide(worker, id, { status: 'approved' })
    assert.equal(answer.body.error.code, 'yourself')
    assert.equal((await decide(admin, id, { status: 'approved' })).body.modifiedCount, 1)
  })

  test('the same attempt twice under one idempotency key holds once', async () => {
    const worker = await aWorker(api.database, { coins: 600 })
    const key = { 'idempotency-key': randomUUID() }
    const twice = () => api.as(worker).post(`/withdraw/${worker.email}`, WISH, key)
    const [first, second] = [await twice(), await twice()]
    assert.deepEqual(first.body, second.body)
    assert.equal(await balance(worker), 410)
  })

  test('where coins came from: by buyer, and what began as bonus or purchase', async () => {
    const admin = await anAdmin(api.database)
    const worker = await aWorker(api.database)
    const bought = await aBuyer(api.database, { coins: 150 })
    const free = await aBuyer(api.database)
    for (const [buyer, reward] of [
      [bought, 160],
      [free, 50],
    ] as const) {
      const task = await aTask(api.database, buyer, { slots: 1, reward })
      await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    }
    const { body } = await ask(worker, { withdrawalCoin: 215 })
    const list = (await api.as(admin).get('/withdraw?limit=100')).body
    const { origin } = list.find(({ _id }: { _id: string }) => _id === body.insertedId)
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

  test('coins of a declined request are found again where they came from', async () => {
    const { admin, worker, id } = await aRequest()
    await decide(admin, id, { status: 'declined', reason: 'Later' })
    const { body } = await ask(worker, { withdrawalCoin: 310 })
    const list = (await api.as(admin).get(`/withdraw?limit=100`)).body
    const { origin } = list.find(({ _id }: { _id: string }) => _id === body.insertedId)
    assert.deepEqual([origin.bonus, origin.purchased, origin.other], [10, 300, 0])
  })
})

describe('withdrawals with a holding time', () => {
  const api = useApi({ holdingDays: 7 })

  test('coins earned within it stay; older ones go', async () => {
    const worker = await aWorker(api.database, { coins: 250 })
    const buyer = await aBuyer(api.database, { coins: 100 })
    const task = await aTask(api.database, buyer, { slots: 1, reward: 100 })
    await approveSubmission(api.database, await aSubmission(api.database, task, worker), buyer.id)
    const ask = (coins: number) =>
      api.as(worker).post(`/withdraw/${worker.email}`, { ...WISH, withdrawalCoin: coins })
    const refused = await ask(261)
    assert.equal(refused.body.error.code, 'holding_time')
    assert.match(refused.body.error.message, /260 coins now/)
    assert.equal((await ask(260)).status, 200)
  })
})
